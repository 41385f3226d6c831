import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The control groups that bound CPU, of either version of the interface. */
const version1 = '/sys/fs/cgroup/cpu'
const version2 = '/sys/fs/cgroup'
const periodUs = 10_000

/**
 * Limits each process to a share of a core. Other processes, such as a load generator, then take nothing that they
 * would have used, so that a small machine behaves like a larger one with slower cores. Requires Linux and root.
 */
export class CpuShares {
  readonly #groups: string[] = []

  limit(pid: number, share: number): void {
    const isVersion1 = existsSync(join(version1, 'tasks'))
    const group = join(isVersion1 ? version1 : version2, `orch-bench-${process.pid}-${pid}`)
    mkdirSync(group)
    this.#groups.push(group)
    const quotaUs = String(Math.round(share * periodUs))
    if (isVersion1) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), quotaUs)
    } else writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${periodUs}`)
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
  }

  /** To be called when the processes have ended: a group in use cannot be removed. */
  remove(): void {
    for (const group of this.#groups.splice(0)) rmdirSync(group)
  }
}
