/** What is wrong with the command line or a setting; its message is for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
