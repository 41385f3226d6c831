import type { ApiObject } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import { fileFlags, labelSelectorFlag } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { exitCodes } from '../../exit-codes.js'
import { changeObjectFlags, changeObjects, quotedName } from '../../objects/change-objects.js'
import { followObject } from '../../objects/follow-object.js'
import { forEach } from '../../objects/for-each.js'
import { withValueAt } from '../../objects/pod-template.js'
import { type Selected, selectObjects } from '../../objects/select-objects.js'
import { rolloutProgress } from './progress-text.js'

/** The kinds that have rollouts. */
export const rolloutKinds: readonly string[] = Object.keys(rolloutProgress)
const targets = '(TYPE NAME | TYPE/NAME... | -f FILE)'

export const rolloutStatus: Command = {
  name: 'rollout status',
  summary: 'Show the progress of a rollout, and wait until it is complete.',
  usage: `${targets} [flags]`,
  examples: [
    ['Until it is done', 'rollout status deployment/web --timeout=2m'],
    ['Without waiting', 'rollout status deployment/web --watch=false'],
  ],
  flags: [
    { name: 'watch', short: 'w', kind: 'switch', description: 'wait until it is done (the default)' },
    { name: 'timeout', kind: 'text', value: 'TIME', description: 'how long to wait: 30s, 5m; forever by default' },
    { name: 'revision', kind: 'text', value: 'N', description: 'fail if the deployment changes to another revision' },
    labelSelectorFlag,
    ...fileFlags,
  ],
  async run(call) {
    const { flags, terminal } = call
    const timeoutMs = flags.durationMs('timeout') ?? 0
    const endsAt = timeoutMs > 0 ? Date.now() + timeoutMs : Number.POSITIVE_INFINITY
    const session = await call.session()
    const revisionKey = (await session.vendor()).qualify('revision', 'deployment')
    const revision = flags.text('revision')
    const code = await forEach(await selectObjects(call, session), terminal, async one => {
      const progressOf = rolloutProgress[one.kind.resource]
      if (progressOf === undefined)
        throw new Error(`no status viewer has been implemented for ${one.kind.kind}.${one.kind.group}`)
      let shown = ''
      const look = (object: ApiObject | undefined): boolean => {
        if (object === undefined) throw new Error('object has been deleted')
        const current = object.metadata.annotations?.[revisionKey]
        if (revision !== undefined && current !== undefined && current !== revision)
          throw new Error(`desired revision (${revision}) is different from the running revision (${current})`)
        const { text, isDone } = progressOf(object)
        if (text !== shown) terminal.write(`${text}\n`)
        shown = text
        return isDone
      }
      const isDone = look(await one.collection.get(one.name))
      if (isDone || !flags.is('watch', true)) return
      const end = await followObject(one.collection, one.name, look, { endsAt, signal: terminal.signal })
      if (end === 'timeout') throw new Error('timed out waiting for the condition')
    })
    return terminal.signal.aborted ? exitCodes.interrupted : code
  },
}

interface Pausable extends ApiObject {
  spec?: { paused?: boolean }
}
const isPaused = (object: ApiObject) => (object as Pausable).spec?.paused === true
function onlyFor(one: Selected, kinds: readonly string[], what: string): void {
  if (!kinds.includes(one.kind.resource)) throw new Error(`${quotedName(one)} ${what} is not supported`)
}

export const rolloutPause: Command = {
  name: 'rollout pause',
  summary: 'Pause a deployment: changes are not rolled out until it is resumed.',
  usage: `${targets} [flags]`,
  examples: [['Change several things, then roll them out as one', 'rollout pause deployment/web']],
  flags: changeObjectFlags,
  run: call =>
    changeObjects(call, {
      verb: 'rollout',
      done: 'paused',
      make(object, one) {
        onlyFor(one, ['deployments'], 'pausing')
        if (isPaused(object)) throw new Error(`${quotedName(one)} is already paused`)
        return withValueAt(object, ['spec', 'paused'], true)
      },
    }),
}

export const rolloutResume: Command = {
  name: 'rollout resume',
  summary: 'Resume a paused deployment.',
  usage: `${targets} [flags]`,
  examples: [['Roll out the changes', 'rollout resume deployment/web']],
  flags: changeObjectFlags,
  run: call =>
    changeObjects(call, {
      verb: 'rollout',
      done: 'resumed',
      make(object, one) {
        onlyFor(one, ['deployments'], 'resuming')
        if (!isPaused(object)) throw new Error(`${quotedName(one)} is not paused`)
        return withValueAt(object, ['spec', 'paused'], false)
      },
    }),
}

export const rolloutRestart: Command = {
  name: 'rollout restart',
  summary: 'Replace all Pods with new ones.',
  usage: `${targets} [flags]`,
  examples: [['New Pods with the same image', 'rollout restart deployment/web']],
  flags: changeObjectFlags,
  run: call =>
    changeObjects(call, {
      verb: 'rollout',
      done: 'restarted',
      async make(object, one, session) {
        onlyFor(one, rolloutKinds, 'restarting')
        if (isPaused(object))
          throw new Error(`${quotedName(one)} can't restart paused deployment (run rollout resume first)`)
        const vendor = await session.vendor()
        const key = vendor.qualify('restartedAt', vendor.profile.cli)
        const now = timestampOf(Date.now())
        return withValueAt(object, ['spec', 'template', 'metadata', 'annotations', key], now)
      },
    }),
}
