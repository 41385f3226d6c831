/** Exit codes of the process. */
export const exitCodes = {
  done: 0,
  /** The server rejected the request, a condition was not met, or (diff) there are differences. */
  failed: 1,
  /** Wrong arguments, a file that cannot be read, or a client config that cannot be used. */
  misused: 2,
  /** No response from the server. */
  unreachable: 3,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const
