import type { ApiObject } from 'orch/sdk'
import { fieldManagerFlag, fileFlags, showManagedFieldsFlag } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { forEach } from '../objects/for-each.js'
import { type Placed, placeObject } from '../objects/place-object.js'
import { nameIn, readManifests } from '../objects/read-manifests.js'
import { hideSecrets } from '../output/hide-secrets.js'
import type { Painter } from '../output/painter.js'
import { yamlText } from '../output/yaml-text.js'
import { applyHere } from './apply/apply-here.js'
import { objectsToPrune, pruneFlags, readPrune } from './apply/prune.js'

export const diff: Command = {
  name: 'diff',
  summary: 'Show what apply would change. Exit code 1 means there are differences; a higher one is an error.',
  usage: '-f FILE [flags]',
  examples: [
    ['Before applying', 'diff -f settings.yaml'],
    ['Of a whole folder', 'diff -R -f manifests/'],
  ],
  flags: [
    ...fileFlags,
    fieldManagerFlag,
    { name: 'force-conflicts', kind: 'switch', description: 'show the result of taking over fields that others own' },
    { name: 'server-side', kind: 'switch', description: 'show the result of a server-side apply (the default)' },
    { name: 'concurrency', kind: 'text', value: 'N', description: 'objects that are compared at the same time (1)' },
    { name: 'show-secrets', kind: 'switch', description: 'show the values of Secrets' },
    showManagedFieldsFlag,
    ...pruneFlags,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal } = call
    const { textDiff } = await import('../output/text-diff.js')
    const manifests = await readManifests(flags, terminal)
    const session = await call.session()
    const kinds = await session.kinds()
    const { profile, lastAppliedAnnotation } = await session.vendor()
    const fieldManager = flags.text('field-manager') ?? profile.cli
    const onServer = flags.is('server-side', true)
    let differs = false
    const prune = readPrune(call)
    const applied: Placed[] = []
    const placed = manifests.map(manifest => ({
      ...placeObject(manifest, kinds, session, flags),
      name: nameIn(manifest),
    }))
    const atOnce = Math.max(1, flags.number('concurrency') ?? 1)
    const failure = await forEach(
      placed,
      terminal,
      async one => {
        const { object, collection, label, name } = one
        const live = await collection.find(name)
        const force = flags.is('force-conflicts')
        const merged = onServer
          ? await collection.apply(object, { dryRun: true, fieldManager, force })
          : (await applyHere(one, lastAppliedAnnotation, { dryRun: 'server', fieldManager })).object
        const withFields = flags.is('show-managed-fields')
        applied.push({ ...one, object: merged })
        const [before, after] = (flags.is('show-secrets') ? unchanged : hideSecrets)(
          live && comparable(live, lastAppliedAnnotation, withFields),
          comparable(merged, lastAppliedAnnotation, withFields),
        )
        const lines = textDiff(before === undefined ? '' : yamlText(before), yamlText(after))
        if (lines.length === 0) return
        differs = true
        terminal.write(
          `${[`--- ${label} (now)`, `+++ ${label} (applied)`, ...lines].map(line => painted(line, terminal.paint)).join('\n')}\n`,
        )
      },
      atOnce,
    )
    if (prune !== undefined && failure === exitCodes.done)
      for (const { label, object } of await objectsToPrune(session, {
        prune,
        applied,
        fieldManager,
        annotation: lastAppliedAnnotation,
      })) {
        differs = true
        const shown = comparable(object, lastAppliedAnnotation, false)
        const lines = textDiff(yamlText(shown), '')
        terminal.write(
          `${[`--- ${label} (now)`, `+++ ${label} (pruned)`, ...lines].map(line => painted(line, terminal.paint)).join('\n')}\n`,
        )
      }
    if (failure !== exitCodes.done) return Math.max(failure, exitCodes.misused)
    return differs ? exitCodes.failed : exitCodes.done
  },
}

const unchanged = (before: ApiObject | undefined, after: ApiObject): [ApiObject | undefined, ApiObject] => [
  before,
  after,
]

/** Removes metadata that every write changes, and the last-applied annotation, which repeats the object. */
function comparable(object: ApiObject, annotation: string, withFields: boolean): ApiObject {
  const { managedFields, resourceVersion: __, generation: ___, annotations = {}, ...metadata } = object.metadata
  const { [annotation]: ____, ...others } = annotations
  const shown = Object.keys(others).length > 0 ? { annotations: others } : {}
  return { ...object, metadata: { ...metadata, ...shown, ...(withFields ? { managedFields } : {}) } }
}

function painted(line: string, paint: Painter): string {
  if (line.startsWith('+')) return paint.good(line)
  if (line.startsWith('-')) return paint.bad(line)
  return line.startsWith('@@') ? paint.key(line) : line
}
