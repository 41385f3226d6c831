import {
  dryRunFlag,
  fieldManagerFlag,
  fileFlags,
  objectFormats,
  outputFlag,
  showManagedFieldsFlag,
} from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { forEach } from '../objects/for-each.js'
import { placeObject } from '../objects/place-object.js'
import { readManifests } from '../objects/read-manifests.js'
import { objectName } from '../output/print-objects.js'
import { writtenPrinter } from '../output/written.js'
import { UsageError } from '../usage-error.js'

export const create: Command = {
  name: 'create',
  summary: 'Create the objects of files; those that exist already are failures.',
  usage: '-f FILE [flags]',
  examples: [
    ['From a file, or a folder of files', 'create -f settings.yaml'],
    ['From standard input', 'create -f -'],
    ['Check what the server would make of it', 'create -f settings.yaml --dry-run -o yaml'],
  ],
  flags: [...fileFlags, dryRunFlag, fieldManagerFlag, outputFlag(objectFormats), showManagedFieldsFlag],
  completes: 'nothing',
  async run(call) {
    const { flags, world, words } = call
    if (words.length > 0) throw new UsageError(`create reads files: orchctl create -f ${words[0]}`)
    const manifests = await readManifests(flags, world)
    const session = await call.session()
    const kinds = await session.kinds()
    const print = writtenPrinter(call)
    const { cli } = (await session.vendor()).profile
    const fieldManager = flags.text('field-manager') ?? `${cli}-create`
    const labelled = manifests.map(manifest => ({ ...manifest, label: manifest.origin }))
    return forEach(labelled, world, async manifest => {
      const { object, collection, kind } = placeObject(manifest, kinds, session, flags)
      const made = await collection.create(object, { dryRun: flags.is('dry-run'), fieldManager })
      print({ label: objectName(kind, made.metadata.name ?? ''), kind }, 'created', made)
    })
  },
}
