import { BootError, problem } from '../contracts/boot-errors.js'

/** The first file descriptor that systemd passes. */
const firstFd = 3

/**
 * The socket that systemd, or another program with its protocol (sd_listen_fds), opened for this process; undefined if
 * none was passed. Variables meant for a parent process are ignored.
 */
export function activatedSocket(
  { LISTEN_PID: forPid, LISTEN_FDS: count }: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  if (count === undefined || Number(forPid) !== pid) return undefined
  if (count !== '1') throw new BootError([problem('ORCH_SOCKET_COUNT', { count })])
  return firstFd
}
