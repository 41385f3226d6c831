import { type ApiObject, isRecord, type Vendor } from 'orch/sdk'
import { fileFlags, labelSelectorFlag, printFlags } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { changeObjectFlags, changeObjects, quotedName } from '../../objects/change-objects.js'
import { forEach } from '../../objects/for-each.js'
import { mergePatch } from '../../objects/merge-patch.js'
import type { PodTemplate } from '../../objects/pod-template.js'
import { type Selected, selectObjects } from '../../objects/select-objects.js'
import { formatOf } from '../../output/format.js'
import { ObjectPrinter } from '../../output/print-objects.js'
import { plainTemplate, type Revision, revisionAnnotation, revisionsOf } from './revisions.js'
import { rolloutKinds } from './rollout.js'
import { templateText } from './template-text.js'

const revisionFlag = (name: string, description: string) => ({ name, kind: 'text', value: 'N', description }) as const

function onlyWithHistory(one: Selected, what: string): void {
  if (!rolloutKinds.includes(one.kind.resource)) throw new Error(`${quotedName(one)} ${what} is not supported`)
}
function numbered(revisions: readonly Revision[], wanted: number): Revision {
  const found = revisions.find(({ number }) => number === wanted)
  if (!found) throw new Error(`unable to find specified revision ${wanted} in history`)
  return found
}

export const rolloutHistory: Command = {
  name: 'rollout history',
  summary: 'Show the stored revisions of a deployment, daemon set or stateful set.',
  usage: '(TYPE NAME | TYPE/NAME... | -f FILE) [--revision N]',
  examples: [
    ['All revisions', 'rollout history deployment/web'],
    ['The Pod template of one revision', 'rollout history deployment/web --revision=2'],
  ],
  flags: [revisionFlag('revision', 'show the template of this one'), labelSelectorFlag, ...fileFlags, ...printFlags],
  async run(call) {
    const format = formatOf(call.flags, ['yaml', 'json', 'name', 'jsonpath', 'jsonpath-as-json', 'go-template'])
    const printer = new ObjectPrinter(call.terminal, format, { managedFields: call.flags.is('show-managed-fields') })
    const session = await call.session()
    const wanted = call.flags.number('revision') ?? 0
    return forEach(await selectObjects(call, session), call.terminal, async one => {
      onlyWithHistory(one, 'history')
      const live = await one.collection.get(one.name)
      const revisions = await revisionsOf(live, one, session)
      if (wanted > 0) {
        const { template } = numbered(revisions, wanted)
        if (format.form !== 'table') return printer.print([{ object: withTemplate(live, template), kind: one.kind }])
        return call.terminal.write(`${one.label} with revision #${wanted}\n${templateText(template)}\n`)
      }
      if (format.form !== 'table')
        return printer.print(
          revisions.map(({ template }) => ({ object: withTemplate(live, template), kind: one.kind })),
        )
      const width = Math.max('REVISION'.length, ...revisions.map(({ number }) => String(number).length)) + 2
      const rows = revisions.map(({ number, cause }) => `${String(number).padEnd(width)}${cause}\n`)
      call.terminal.write(`${one.label} \n${'REVISION'.padEnd(width)}CHANGE-CAUSE\n${rows.join('')}\n`)
    })
  },
}

/** The object as it was with another template. */
const withTemplate = (object: ApiObject, template: PodTemplate): ApiObject => ({
  ...object,
  spec: { ...(object['spec'] as object), template },
})

interface Rolled extends ApiObject {
  spec: { template: PodTemplate; paused?: boolean }
}

export const rolloutUndo: Command = {
  name: 'rollout undo',
  summary: 'Roll back to the previous revision, or to another one.',
  usage: '(TYPE NAME | TYPE/NAME... | -f FILE) [--to-revision N] [flags]',
  examples: [
    ['To the previous revision', 'rollout undo deployment/web'],
    ['To an older revision', 'rollout undo daemonset/agent --to-revision=3'],
  ],
  flags: [revisionFlag('to-revision', 'revision to roll back to; the previous one by default'), ...changeObjectFlags],
  async run(call) {
    const wanted = call.flags.number('to-revision') ?? 0
    return changeObjects(call, {
      verb: 'rollout',
      done: 'rolled back',
      async make(found, one, session) {
        onlyWithHistory(one, 'rollback')
        const object = found as Rolled
        const vendor = await session.vendor()
        if (object.spec.paused)
          throw new Error(
            "you cannot rollback a paused deployment; resume it first with 'orchctl rollout resume' and try again",
          )
        const revisions = await revisionsOf(object, one, session)
        const before = revisions.at(-2)
        if (wanted === 0 && before === undefined)
          throw new Error(`no rollout history found for ${one.kind.singular} "${one.name}"`)
        const target = wanted === 0 ? (before as Revision) : numbered(revisions, wanted)
        const template = plainTemplate(target.template)
        if (mergePatch(cleaned(object.spec.template), cleaned(template)) === undefined)
          return `skipped rollback (current template already matches revision ${target.number})`
        const rolled = { ...object, spec: { ...object.spec, template } }
        if (one.kind.resource !== 'deployments') return rolled
        return { ...rolled, metadata: { ...object.metadata, annotations: annotationsAfter(object, target, vendor) } }
      },
    })
  },
}

/** A stored template may contain `creationTimestamp: null`, which is ignored. */
const cleaned = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== null)
          .map(([key, inner]) => [key, cleaned(inner)]),
      )
    : value

/** The annotations of the revision, except those about the deployment itself, which are preserved. */
function annotationsAfter({ metadata }: ApiObject, { annotations }: Revision, vendor: Vendor): Record<string, string> {
  const own = new Set([
    vendor.lastAppliedAnnotation,
    revisionAnnotation(vendor),
    ...['revision-history', 'desired-replicas', 'max-replicas'].map(name => vendor.qualify(name, 'deployment')),
  ])
  const kept = Object.entries(metadata.annotations ?? {}).filter(([key]) => own.has(key))
  const restored = Object.entries(annotations).filter(([key]) => !own.has(key))
  return Object.fromEntries([...kept, ...restored])
}
