/** What one run of GETs cost, by process. */
export interface WorkerRun {
  readonly requests: number
  readonly wallMs: number
  /** CPU time of each process of the server. */
  readonly serverCpuMs: readonly number[]
  /** CPU time of the process that makes the load. */
  readonly generatorCpuMs: number
}

export const rawRate = ({ requests, wallMs }: WorkerRun): number => (requests / wallMs) * 1e3
export const serverCpu = ({ serverCpuMs }: WorkerRun): number => serverCpuMs.reduce((sum, ms) => sum + ms, 0)

/**
 * Requests a second that this server answers when it has the cores for itself: what the generator takes of them is accounted
 * for. Two things bound it. All processes together use no more than all cores; and each process runs on one core at a time, so
 * the one with the most work is the first that has no more to give (unevenly shared connections lower the figure).
 */
export function capacity(run: WorkerRun, cores: number): number {
  const busiest = Math.max(...run.serverCpuMs)
  return Math.min((cores * run.requests) / serverCpu(run), run.requests / busiest) * 1e3
}
