import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The control groups that bound CPU, of either version of the interface. */
const first = '/sys/fs/cgroup/cpu'
const second = '/sys/fs/cgroup'
const periodUs = 10_000

/**
 * Gives each process a part of a core and no more. What runs beside them, such as a load generator, then takes nothing that they
 * would have used, so that a small machine stands for a larger one whose cores are slower. Needs Linux and root.
 */
export class CpuShares {
  readonly #groups: string[] = []

  limit(pid: number, share: number): void {
    const isFirst = existsSync(join(first, 'cpu.cfs_quota_us')) || existsSync(join(first, 'tasks'))
    const group = join(isFirst ? first : second, `orch-bench-${process.pid}-${pid}`)
    mkdirSync(group)
    this.#groups.push(group)
    const quotaUs = String(Math.round(share * periodUs))
    if (isFirst) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), quotaUs)
    } else writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${periodUs}`)
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
  }

  /** When the processes have ended: a group that is in use cannot be removed. */
  remove(): void {
    for (const group of this.#groups.splice(0)) rmdirSync(group)
  }
}
