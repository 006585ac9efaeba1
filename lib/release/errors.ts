/** Why a release cannot be made, for whoever runs the task to read; anything else is a bug. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";

  /** @param status the exit status: 2 for a command line that cannot be followed, else 1 */
  constructor(readonly status: 1 | 2, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
