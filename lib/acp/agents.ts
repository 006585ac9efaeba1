/** `agents/list`: the agents of the service, of which there is one. */
export function listAgents() {
  return {
    agents: [{
      name: "the-brain",
      description: "Speaks as The Brain, an instructor on technical domains and world domination.",
    }],
  };
}
