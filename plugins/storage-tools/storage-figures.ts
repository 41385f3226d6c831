import type { CommandContext } from 'orch/sdk'
import type { MaintenanceProgress } from 'orch/sdk/host'
import type { Progress } from './export-store.js'

const progressEveryMs = 2000

/** Prints the progress of long work every few seconds. */
export function progressOn({ err }: CommandContext): MaintenanceProgress {
  let next = Date.now() + progressEveryMs
  return (step, done, all) => {
    if (Date.now() < next) return
    next = Date.now() + progressEveryMs
    err(`${step} ${done} of ${all} objects\n`)
  }
}
/** The same for work of one step. */
export function progressOf(context: CommandContext, step: string): Progress {
  const progress = progressOn(context)
  return (done, all) => progress(step, done, all)
}

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
export const rows = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([title, value]) => `${title.padEnd(20)}${value}\n`)
    .join('')

/** `widgets.example.com v1 20, v2 3` of every collection that has objects. */
export function versionRows(counts: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  const lines: string[] = []
  for (const [collection, versions] of counts) {
    if (versions.size === 0) continue
    const [group = '', resource = ''] = collection.split('/')
    const stored = [...versions].map(([version, count]) => `${version || 'unmarked'} ${count}`).join(', ')
    lines.push(`  ${group === '' ? resource : `${resource}.${group}`} ${stored}`)
  }
  return lines.length === 0 ? '' : `stored versions\n${lines.join('\n')}\n`
}
