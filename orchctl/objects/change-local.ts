import type { ApiObject } from 'orch/sdk'
import type { FlagDefinition } from '../arguments/flags.js'
import type { Call } from '../command.js'
import { objectName } from '../output/print-objects.js'
import { writtenPrinter } from '../output/written.js'
import { UsageError } from '../usage-error.js'
import { type Change, changeObjects } from './change-objects.js'
import { forEach } from './for-each.js'
import { readManifests, readsManifests } from './read-manifests.js'

export const localFlag: FlagDefinition = {
  name: 'local',
  kind: 'switch',
  description: 'change the objects of files and print them, without a server',
}

/** A change that needs only the object itself. */
export interface PlainChange extends Pick<Change, 'verb' | 'done'> {
  make(object: ApiObject): ApiObject | string | undefined
}

/** Changes objects on the server, or with `--local` those of files, which are only printed. */
export function changeAnywhere(call: Call, change: PlainChange, args = call.args): Promise<number> {
  return call.flags.is('local') ? changeLocal(call, change.done, change.make, args) : changeObjects(call, change, args)
}

export async function changeLocal(
  call: Call,
  done: string,
  make: (object: ApiObject) => ApiObject | string | undefined,
  args = call.args,
): Promise<number> {
  const { flags, terminal } = call
  if (!readsManifests(flags) || args.length > 0) throw new UsageError('--local changes the objects of files: -f FILE')
  const print = writtenPrinter(call)
  const labelled = (await readManifests(flags, terminal)).map(({ object }) => ({ object, label: labelOf(object) }))
  return forEach(labelled, terminal, async ({ object, label }) => {
    const after = make(object)
    print({ label }, typeof after === 'string' ? after : done, typeof after === 'object' ? after : object)
  })
}

export function labelOf({ apiVersion = '', kind = '', metadata }: ApiObject): string {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : []
  return objectName({ singular: kind.toLowerCase(), group }, metadata.name ?? '')
}
