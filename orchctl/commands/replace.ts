import { ApiError } from 'orch/sdk'
import { isObjectNotFound } from 'orch/sdk/client'
import {
  cascadeFlag,
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fieldValidationOf,
  fileFlags,
  printFlags,
  propagationOf,
  validateFlag,
} from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { forEach } from '../objects/for-each.js'
import { saveConfigFlag, withLastApplied } from '../objects/last-applied.js'
import { placeObject } from '../objects/place-object.js'
import { nameIn, readManifests } from '../objects/read-manifests.js'
import { subresourceFlag } from '../objects/subresource.js'
import { writtenPrinter } from '../output/written.js'
import { rawFlag, rawRequest } from '../session/raw-request.js'
import { UsageError } from '../usage-error.js'

export const replace: Command = {
  name: 'replace',
  summary: 'Replace objects with those in files.',
  usage: '-f FILE [flags]',
  examples: [
    ['Fields that are not in the file are removed', 'replace -f settings.yaml'],
    ['Delete and recreate, if a field is immutable', 'replace --force -f job.yaml'],
  ],
  flags: [
    { name: 'force', kind: 'switch', description: 'delete and recreate the objects' },
    { name: 'grace-period', kind: 'text', value: 'SECONDS', description: 'with --force: grace period in seconds' },
    {
      name: 'timeout',
      kind: 'text',
      value: 'TIME',
      description: 'with --force: how long to wait until it is gone (5m)',
    },
    cascadeFlag('with --force: '),
    { name: 'wait', kind: 'switch', description: 'with --force: wait until the old object is gone (always)' },
    subresourceFlag('replace this subresource: status'),
    rawFlag('send PUT with the file to this path'),
    saveConfigFlag,
    ...fileFlags,
    dryRunFlag,
    fieldManagerFlag,
    validateFlag,
    ...printFlags,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal, args } = call
    if (args.length > 0) throw new UsageError(`replace reads files: orchctl replace -f ${args[0]}`)
    const raw = flags.text('raw')
    if (raw !== undefined) return rawRequest(call, 'PUT', raw)
    const isForced = flags.is('force')
    const subresource = flags.text('subresource')
    if (isForced && subresource !== undefined)
      throw new UsageError('--force recreates whole objects: leave out --subresource')
    const propagationPolicy = propagationOf(flags)
    const dryRun = dryRunOf(flags)
    if (isForced && dryRun !== 'none')
      throw new UsageError('--force deletes objects and cannot be combined with --dry-run')
    const gracePeriodSeconds = flags.number('grace-period') ?? 0
    const timeoutMs = flags.durationMs('timeout') ?? 300_000
    const manifests = await readManifests(flags, terminal)
    const session = await call.session()
    const kinds = await session.kinds()
    const print = writtenPrinter(call)
    const { profile, lastAppliedAnnotation } = await session.vendor()
    const fieldManager = flags.text('field-manager') ?? `${profile.cli}-replace`
    const fieldValidation = fieldValidationOf(flags)
    const options = { fieldManager, dryRun: dryRun === 'server', fieldValidation }
    const placed = manifests.map(manifest => ({
      ...placeObject(manifest, kinds, session, flags),
      name: nameIn(manifest),
    }))
    return forEach(placed, terminal, async one => {
      const { collection, name, kind } = one
      const object = flags.is('save-config') ? withLastApplied(one.object, lastAppliedAnnotation) : one.object
      if (!isForced) {
        // Without a resource version in the file the replace is unconditional.
        const resourceVersion = object.metadata.resourceVersion || (await collection.get(name)).metadata.resourceVersion
        const wanted = { ...object, metadata: { ...object.metadata, resourceVersion } }
        return print(
          one,
          'replaced',
          dryRun === 'client' ? object : await collection.updateSubresource(subresource ?? '', wanted, options),
        )
      }
      await rejectUnreadable(() => collection.update(object, { ...options, dryRun: true }))
      try {
        await collection.delete(name, { gracePeriodSeconds, propagationPolicy })
        if (!flags.has('output'))
          terminal.write(`${kind.singular}${kind.group && `.${kind.group}`} "${name}" deleted\n`)
        await collection.waitForDeletion(name, { timeoutMs, signal: terminal.signal })
      } catch (error) {
        if (!isObjectNotFound(error)) throw error
      }
      const { resourceVersion: _, uid: __, ...metadata } = object.metadata
      print(one, 'replaced', await collection.create({ ...object, metadata }, options))
    })
  },
}

/** Throws if the server cannot read the object or finds unknown fields, before the existing one is deleted. */
async function rejectUnreadable(tryUpdate: () => Promise<unknown>): Promise<void> {
  try {
    await tryUpdate()
  } catch (error) {
    if (error instanceof ApiError && error.code === 400) throw error
  }
}
