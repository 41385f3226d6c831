import {
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fieldValidationOf,
  printFlags,
  validateFlag,
} from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { exitCodes } from '../../exit-codes.js'
import { forEach } from '../../objects/for-each.js'
import { contentHash } from '../../objects/kustomize/generated.js'
import { saveConfigFlag, withLastApplied } from '../../objects/last-applied.js'
import { placeObject } from '../../objects/place-object.js'
import type { Manifest } from '../../objects/read-manifests.js'
import { objectName } from '../../output/print-objects.js'
import { writtenPrinter } from '../../output/written.js'
import { UsageError } from '../../usage-error.js'

/** Options of all commands that create objects. */
export const createFlags = [dryRunFlag, fieldManagerFlag, validateFlag, saveConfigFlag, ...printFlags]

/** Creates objects in their namespaces and reports each. Returns the exit code. */
export async function createObjects(
  call: Call,
  manifests: readonly Manifest[],
  { verb, done } = { verb: 'create', done: 'created' },
): Promise<number> {
  const { flags, terminal } = call
  const session = await call.session()
  const kinds = await session.kinds()
  const isLocal = dryRunOf(flags) === 'client'
  const print = writtenPrinter(call)
  const { profile, lastAppliedAnnotation } = await session.vendor()
  const { cli } = profile
  const fieldManager = flags.text('field-manager') ?? `${cli}-${verb}`
  const options = { dryRun: flags.is('dry-run'), fieldManager, fieldValidation: fieldValidationOf(flags) }
  const labelled = manifests.map(manifest => ({ ...manifest, label: manifest.origin }))
  return forEach(labelled, terminal, async manifest => {
    const { object: given, collection, kind } = placeObject(manifest, kinds, session, flags)
    const object = flags.is('save-config') ? withLastApplied(given, lastAppliedAnnotation) : given
    const made = isLocal ? object : await collection.create(object, options)
    print({ label: objectName(kind, made.metadata.name || '<unknown>'), kind }, done, made)
  })
}

/** An object without a name. */
export interface Unnamed {
  /** `v1` by default. */
  readonly apiVersion?: string
  readonly kind: string
  readonly metadata?: object
  readonly [field: string]: unknown
}

/** Creates one object, named by the only argument before `--`. */
export async function createNamed(
  call: Call,
  { apiVersion = 'v1', kind, metadata, ...fields }: Unnamed,
  args = call.args,
): Promise<number> {
  const [name, ...more] = args.slice(0, args.length - call.trailing.length)
  if (name === undefined || more.length > 0)
    throw new UsageError(`name one ${kind}, and nothing else: orchctl create ${kind.toLowerCase()} NAME`)
  const plain = { apiVersion, kind, metadata: { name, ...metadata }, ...fields }
  const hashed = call.flags.is('append-hash') ? `${name}-${contentHash(plain, name)}` : name
  const object = { ...plain, metadata: { ...plain.metadata, name: hashed } }
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : []
  const label = objectName({ singular: kind.toLowerCase(), group }, hashed)
  if (dryRunOf(call.flags) !== 'client') return createObjects(call, [{ object, origin: label }])
  // A client-side dry run needs no server.
  writtenPrinter(call)({ label }, 'created', object)
  return exitCodes.done
}

/** A command that builds an object from flags: `create deployment web --image=nginx`. */
export interface Generator extends Pick<Command, 'name' | 'aliases' | 'summary' | 'usage' | 'examples' | 'flags'> {
  /** Builds the object from the flags. `name` is empty if it was not given. */
  build(call: Call, name: string): Unnamed | Promise<Unnamed>
}

/** The command of a generator. */
export const createCommand = ({ build, flags, ...generator }: Generator): Command => ({
  ...generator,
  flags: [...flags, ...createFlags],
  completes: 'nothing',
  run: async call => createNamed(call, await build(call, call.args[0] ?? '')),
})

/** `GROUP.DOMAIN/v1` of the vendor. */
export async function vendorVersion({ session }: Call, group: string): Promise<string> {
  return `${(await (await session()).vendor()).group(group)}/v1`
}

/** The value of a required flag. */
export function requiredFlag({ flags }: Call, name: string, example: string): string {
  const value = flags.text(name)
  if (!value) throw new UsageError(`--${name} is required: --${name}=${example}`)
  return value
}

/** `KEY=VALUE` items as an object. */
export function pairsOf(items: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    items.map(item => {
      const at = item.indexOf('=')
      if (at < 1) throw new UsageError(`--${flag} needs KEY=VALUE, not "${item}"`)
      return [item.slice(0, at), item.slice(at + 1)]
    }),
  )
}
