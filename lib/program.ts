/** The name that the program is called by, and that its folders have. */
export const PROGRAM = "patb-cli-bridge";
