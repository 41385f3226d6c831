import { ApiError, type ApiObject } from 'orch/sdk'
import {
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fieldValidationOf,
  fileFlags,
  objectFormats,
  outputFlag,
  showManagedFieldsFlag,
  validateFlag,
} from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { forEach } from '../objects/for-each.js'
import { type Placed, placeObject } from '../objects/place-object.js'
import { readManifests } from '../objects/read-manifests.js'
import { writtenPrinter } from '../output/written.js'
import { UsageError } from '../usage-error.js'
import { applyHere } from './apply/apply-here.js'
import { pruneFlags, pruneOthers, readPrune } from './apply/prune.js'

export const apply: Command = {
  name: 'apply',
  summary: 'Create or update objects to match files.',
  usage: '-f FILE [flags]',
  examples: [
    ['A file, all files of a folder, standard input', 'apply -f settings.yaml -f manifests/ -f -'],
    ['Take over fields that others own', 'apply -f settings.yaml --force-conflicts'],
    [
      'Delete what was applied with this label before and is not in the files any more',
      'apply -f app/ --prune -l app=web',
    ],
    ['Compare here instead of on the server, as older clients do', 'apply -f settings.yaml --server-side=false'],
  ],
  flags: [
    ...fileFlags,
    dryRunFlag,
    fieldManagerFlag,
    validateFlag,
    { name: 'force-conflicts', kind: 'switch', description: 'take over fields that others own' },
    { name: 'server-side', kind: 'switch', description: 'let the server merge (the default)' },
    ...pruneFlags,
    outputFlag(objectFormats),
    showManagedFieldsFlag,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal, args } = call
    if (args.length > 0) throw new UsageError(`apply reads files: orchctl apply -f ${args[0]}`)
    const onServer = flags.is('server-side', true)
    if (!onServer && flags.is('force-conflicts')) throw new UsageError('--force-conflicts needs --server-side')
    const manifests = await readManifests(flags, terminal)
    const session = await call.session()
    const kinds = await session.kinds()
    const vendor = await session.vendor()
    const print = writtenPrinter(call)
    const dryRun = dryRunOf(flags)
    const fieldManager = flags.text('field-manager') ?? vendor.profile.cli
    const fieldValidation = fieldValidationOf(flags)
    const placed = manifests.map(manifest => placeObject(manifest, kinds, session, flags))
    const prune = readPrune(call)
    const applied: Placed[] = []
    const code = await forEach(placed, terminal, async one => {
      const { name } = one.object.metadata
      if (!name)
        throw new UsageError(`${one.kind.kind} needs metadata.name: apply must know what to bring to that state`)
      // Client-side apply, and the prediction of a server-side one in a client-side dry run.
      if (!onServer || dryRun === 'client') {
        const options = { dryRun, fieldManager, fieldValidation, keepsRecord: !onServer }
        const { object, done } = await applyHere(one, vendor.lastAppliedAnnotation, options)
        applied.push({ ...one, object })
        return print(one, done, object)
      }
      const before = await versionBefore(one, name)
      const force = flags.is('force-conflicts')
      const options = { dryRun: dryRun === 'server', fieldManager, fieldValidation, force }
      const merged = await one.collection.apply(one.object, options)
      print(one, verbFor(before, merged), merged)
      applied.push({ ...one, object: merged })
    })
    // Nothing is pruned if an apply failed.
    if (prune === undefined || code !== exitCodes.done) return code
    return pruneOthers(call, session, { prune, applied, fieldManager, record: vendor.lastAppliedAnnotation })
  },
}

type Before = { readonly exists: boolean; readonly version?: string } | undefined
/** The state before the apply; undefined if the user may apply but not read. */
async function versionBefore({ collection }: Placed, name: string): Promise<Before> {
  try {
    const found = await collection.find(name)
    return { exists: found !== undefined, version: found?.metadata.resourceVersion }
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return undefined
    throw error
  }
}

function verbFor(before: Before, applied: ApiObject): string {
  if (before === undefined) return 'applied'
  if (!before.exists) return 'created'
  return before.version === applied.metadata.resourceVersion ? 'unchanged' : 'configured'
}
