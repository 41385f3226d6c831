import { isObjectNotFound } from 'orch/sdk/client'
import {
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fileFlags,
  objectFormats,
  outputFlag,
  showManagedFieldsFlag,
} from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { forEach } from '../objects/for-each.js'
import { placeObject } from '../objects/place-object.js'
import { nameIn, readManifests } from '../objects/read-manifests.js'
import { writtenPrinter } from '../output/written.js'
import { UsageError } from '../usage-error.js'

export const replace: Command = {
  name: 'replace',
  summary: 'Replace objects by those of files, whole.',
  usage: '-f FILE [flags]',
  examples: [
    ['What is not in the file is gone afterwards', 'replace -f settings.yaml'],
    ['Delete and create anew, where a field cannot be changed', 'replace --force -f job.yaml'],
  ],
  flags: [
    { name: 'force', kind: 'switch', means: 'delete the objects and create them anew' },
    { name: 'grace-period', kind: 'text', value: 'SECONDS', means: 'with --force: time it has to end by itself' },
    { name: 'timeout', kind: 'text', value: 'TIME', means: 'with --force: how long to wait until it is gone (5m)' },
    ...fileFlags,
    dryRunFlag,
    fieldManagerFlag,
    outputFlag(objectFormats),
    showManagedFieldsFlag,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, world, words } = call
    if (words.length > 0) throw new UsageError(`replace reads files: orchctl replace -f ${words[0]}`)
    const isForced = flags.is('force')
    const dryRun = dryRunOf(flags)
    if (isForced && dryRun !== 'none') throw new UsageError('--force deletes: it cannot be tried with --dry-run')
    const gracePeriodSeconds = flags.number('grace-period') ?? 0
    const timeoutMs = flags.durationMs('timeout') ?? 300_000
    const manifests = await readManifests(flags, world)
    const session = await call.session()
    const kinds = await session.kinds()
    const print = writtenPrinter(call)
    const fieldManager = flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-replace`
    const options = { fieldManager, dryRun: dryRun === 'server' }
    const placed = manifests.map(manifest => ({
      ...placeObject(manifest, kinds, session, flags),
      name: nameIn(manifest),
    }))
    return forEach(placed, world, async one => {
      const { object, collection, name, kind } = one
      if (!isForced) {
        // Without a version the file means: whatever is there.
        const stated = object.metadata.resourceVersion
        const resourceVersion = stated || (await collection.get(name)).metadata.resourceVersion
        const wanted = { ...object, metadata: { ...object.metadata, resourceVersion } }
        return print(one, 'replaced', dryRun === 'client' ? object : await collection.update(wanted, options))
      }
      try {
        await collection.delete(name, { gracePeriodSeconds, propagationPolicy: 'Background' })
        if (!flags.has('output')) world.write(`${kind.singular}${kind.group && `.${kind.group}`} "${name}" deleted\n`)
        await collection.waitForDeletion(name, { timeoutMs, signal: world.signal })
      } catch (error) {
        if (!isObjectNotFound(error)) throw error
      }
      const { resourceVersion: _, uid: __, ...metadata } = object.metadata
      print(one, 'replaced', await collection.create({ ...object, metadata }, options))
    })
  },
}
