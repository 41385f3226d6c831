import { BootError, problem } from '../contracts/boot-errors.js'

/** systemd hands over sockets from this file descriptor on. */
const firstFd = 3

/**
 * The socket that systemd, or whoever speaks its protocol (sd_listen_fds), opened for this process; undefined when none was
 * handed over. Variables that are meant for a parent are left alone.
 */
export function activatedSocket(
  { LISTEN_PID: forPid, LISTEN_FDS: count }: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  if (count === undefined || Number(forPid) !== pid) return undefined
  if (count !== '1') throw new BootError([problem('ORCH_SOCKET_COUNT', { count })])
  return firstFd
}
