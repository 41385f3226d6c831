import { ApiError, type ApiObject } from 'orch/sdk'
import {
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fieldValidationOf,
  fileFlags,
  printFlags,
  propagationOf,
  validateFlag,
} from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { forEach } from '../objects/for-each.js'
import { withLastApplied } from '../objects/last-applied.js'
import { type Placed, placeObject } from '../objects/place-object.js'
import { readManifests } from '../objects/read-manifests.js'
import { subresourceFlag } from '../objects/subresource.js'
import { withProgress } from '../output/progress.js'
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
      'Delete objects with this label that were applied earlier and are no longer in the files',
      'apply -f app/ --prune -l app=web',
    ],
    [
      'Merge in this client instead of on the server, as older clients do',
      'apply -f settings.yaml --server-side=false',
    ],
  ],
  flags: [
    ...fileFlags,
    dryRunFlag,
    fieldManagerFlag,
    validateFlag,
    { name: 'force-conflicts', kind: 'switch', description: 'take over fields that others own' },
    { name: 'server-side', kind: 'switch', description: 'let the server merge (the default)' },
    subresourceFlag('apply to this subresource: status; only with --server-side'),
    {
      name: 'overwrite',
      kind: 'switch',
      description: 'with --server-side=false: let the files win over changes of others (the default)',
    },
    {
      name: 'force',
      kind: 'switch',
      description: 'with --server-side=false: delete and recreate an object if it cannot be changed',
    },
    { name: 'grace-period', kind: 'text', value: 'SECONDS', description: 'with --force: grace period in seconds' },
    {
      name: 'cascade',
      kind: 'text',
      value: 'HOW',
      description: 'with --prune and --force: how dependents are deleted: background (the default), foreground, orphan',
      choices: ['background', 'foreground', 'orphan'],
    },
    { name: 'timeout', kind: 'text', value: 'TIME', description: 'how long to wait for deletions (5m)' },
    { name: 'wait', kind: 'switch', description: 'with --prune: wait until the deleted objects are gone' },
    ...pruneFlags,
    ...printFlags,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal, args } = call
    if (args.length > 0) throw new UsageError(`apply reads files: orchctl apply -f ${args[0]}`)
    const onServer = flags.is('server-side', true)
    if (!onServer && flags.is('force-conflicts')) throw new UsageError('--force-conflicts needs --server-side')
    const subresource = flags.text('subresource')
    if (!onServer && subresource !== undefined) throw new UsageError('--subresource needs --server-side')
    if (onServer && flags.is('force')) throw new UsageError('--force needs --server-side=false; see --force-conflicts')
    const manifests = await readManifests(flags, terminal)
    const session = await call.session()
    const kinds = await session.kinds()
    const vendor = await session.vendor()
    const written = writtenPrinter(call)
    const print: typeof written = (...what) => {
      terminal.overwrite?.('')
      written(...what)
    }
    const dryRun = dryRunOf(flags)
    const fieldManager = flags.text('field-manager') ?? vendor.profile.cli
    const fieldValidation = fieldValidationOf(flags)
    const placed = manifests.map(manifest => placeObject(manifest, kinds, session, flags))
    const prune = readPrune(call)
    const applied: Placed[] = []
    const applyOne = async (one: Placed) => {
      const { name } = one.object.metadata
      if (!name) throw new UsageError(`${one.kind.kind} needs metadata.name: apply must know which object to change`)
      // Client-side apply, and the prediction of a server-side one in a client-side dry run.
      if (!onServer || dryRun === 'client') {
        const options = {
          dryRun,
          fieldManager,
          fieldValidation,
          keepsRecord: !onServer,
          overwrites: flags.is('overwrite', true),
        }
        const { object, done } = await applyHere(one, vendor.lastAppliedAnnotation, options).catch(error => {
          if (!flags.is('force') || !isRefusedChange(error)) throw error
          return recreate(call, one, vendor.lastAppliedAnnotation, fieldManager)
        })
        applied.push({ ...one, object })
        return print(one, done, object)
      }
      const before = await versionBefore(one, name)
      const force = flags.is('force-conflicts')
      const options = {
        dryRun: dryRun === 'server',
        fieldManager,
        fieldValidation,
        force,
        ...(subresource === undefined ? {} : { subresource }),
      }
      const merged = await one.collection.apply(one.object, options)
      print(one, verbFor(before, merged), merged)
      applied.push({ ...one, object: merged })
    }
    const describe = () => `applied ${applied.length} of ${placed.length}`
    const code = await withProgress(terminal, describe, () => forEach(placed, terminal, applyOne))
    // Nothing is pruned if an apply failed.
    if (prune === undefined || code !== exitCodes.done) return code
    return pruneOthers(call, session, { prune, applied, fieldManager, annotation: vendor.lastAppliedAnnotation })
  },
}

const isRefusedChange = (error: unknown) => error instanceof ApiError && [409, 422].includes(error.code)

/** Deletes an object that cannot be changed to match the file, and recreates it. */
async function recreate({ flags, terminal }: Call, one: Placed, annotation: string, fieldManager: string) {
  const { name = '' } = one.object.metadata
  const grace = flags.number('grace-period')
  await one.collection.delete(name, {
    propagationPolicy: propagationOf(flags),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
  })
  const timeoutMs = flags.durationMs('timeout') ?? 300_000
  await one.collection.waitForDeletion(name, { timeoutMs, signal: terminal.signal })
  return {
    object: await one.collection.create(withLastApplied(one.object, annotation), { fieldManager }),
    done: 'created',
  }
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
