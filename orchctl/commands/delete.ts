import { ApiError, type ApiObject } from 'orch/sdk'
import { type DeleteOptions, isObjectNotFound } from 'orch/sdk/client'
import {
  allFlag,
  allNamespacesFlag,
  cascadeFlag,
  dryRunFlag,
  dryRunNote,
  dryRunOf,
  fieldSelectorFlag,
  fileFlags,
  labelSelectorFlag,
  outputFlag,
  propagationOf,
} from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { followObject } from '../objects/follow-object.js'
import { forEach } from '../objects/for-each.js'
import { type Selected, selectObjects } from '../objects/select-objects.js'
import { formatOf } from '../output/format.js'
import { withProgress } from '../output/progress.js'
import { rawFlag, rawRequest } from '../session/raw-request.js'

export const deleteCommand: Command = {
  name: 'delete',
  summary: 'Delete objects, and wait until they are gone.',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | TYPE --all | -f FILE) [flags]',
  examples: [
    ['One object', 'delete configmap settings'],
    ['What a file created', 'delete -f settings.yaml --ignore-not-found'],
    ['All with a label, without waiting', 'delete pods -l app=web --wait=false'],
    ['Keep its dependents', 'delete deployment web --cascade=orphan'],
  ],
  flags: [
    allFlag,
    labelSelectorFlag,
    fieldSelectorFlag,
    allNamespacesFlag,
    ...fileFlags,
    dryRunFlag,
    outputFlag('name'),
    { name: 'wait', kind: 'switch', description: 'wait until the objects are gone (the default)' },
    { name: 'timeout', kind: 'text', value: 'TIME', description: 'how long to wait: 30s, 5m; forever by default' },
    { name: 'grace-period', kind: 'text', value: 'SECONDS', description: 'grace period in seconds' },
    { name: 'force', kind: 'switch', description: 'delete at once: grace period 0' },
    { name: 'now', kind: 'switch', description: 'delete soon: grace period 1' },
    cascadeFlag(),
    { name: 'interactive', short: 'i', kind: 'switch', description: 'list the objects and ask before deleting them' },
    rawFlag('send DELETE to this path'),
    { name: 'ignore-not-found', kind: 'switch', description: 'a missing object is not an error' },
  ],
  async run(call) {
    const { flags, terminal } = call
    const raw = flags.text('raw')
    if (raw !== undefined) return rawRequest(call, 'DELETE', raw)
    const { form } = formatOf(flags, ['name'])
    const propagationPolicy = propagationOf(flags)
    const grace = flags.is('force') ? 0 : flags.is('now') ? 1 : flags.number('grace-period')
    const dryRun = dryRunOf(flags)
    const session = await call.session()
    const selected = await selectObjects(call, session)
    if (selected.length === 0) terminal.log('No resources found.')
    if (flags.is('interactive') && selected.length > 0) {
      terminal.write(`You are about to delete the following ${selected.length} resource(s):\n`)
      for (const { label } of selected) terminal.write(`${label}\n`)
      terminal.write('Do you want to continue? (y/N): ')
      const answer = (await terminal.readLine()).trim().toLowerCase()
      if (answer !== 'y' && answer !== 'yes') return terminal.write('deletion is cancelled\n')
    }
    const pending: PendingDeletion[] = []
    const failure = await forEach(selected, terminal, async one => {
      try {
        const answer = await deleteOne(one, dryRun, {
          dryRun: dryRun === 'server',
          propagationPolicy,
          ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
        })
        pending.push({ ...one, uid: uidIn(answer), finalizers: answer.metadata?.finalizers ?? [] })
      } catch (error) {
        if (flags.is('ignore-not-found') && isObjectNotFound(error)) return
        throw error
      }
      const [type, name] = [one.label.slice(0, one.label.indexOf('/')), one.name]
      if (form === 'name') terminal.write(`${one.label}\n`)
      else terminal.write(`${type} "${name}" ${flags.is('force') ? 'force deleted' : 'deleted'}${dryRunNote(flags)}\n`)
    })
    if (dryRun !== 'none' || !flags.is('wait', true)) return failure
    return Math.max(failure, await waitUntilGone(call, pending))
  },
}

/** In a client-side dry run it only checks that the object exists. */
const deleteOne = ({ collection, name }: Selected, dryRun: string, options: DeleteOptions): Promise<ApiObject> =>
  dryRun === 'client' ? collection.get(name) : collection.delete(name, options)

interface PendingDeletion extends Selected {
  readonly uid: string | undefined
  readonly finalizers: readonly string[]
}
/** The response is the object if it still exists, or a Status that names it. */
const uidIn = (answer: ApiObject) => answer.metadata?.uid ?? (answer['details'] as { uid?: string } | undefined)?.uid

async function waitUntilGone({ flags, terminal }: Call, pending: readonly PendingDeletion[]): Promise<number> {
  const timeoutMs = flags.durationMs('timeout') ?? 0
  const endsAt = timeoutMs > 0 ? Date.now() + timeoutMs : Number.POSITIVE_INFINITY
  let gone = 0
  let current = ''
  const describe = () => `waiting for ${pending.length - gone} of ${pending.length} to be gone: ${current}`
  return withProgress(terminal, describe, async () => {
    for (const { collection, name, uid, label, finalizers } of pending) {
      const showFinalizers = (left: readonly string[]) => {
        current = left.length > 0 ? `${label} (finalizers ${left.join(', ')})` : label
      }
      showFinalizers(finalizers)
      // A new object with the same name is not the one that was deleted.
      const isGone = (object: ApiObject | undefined) => {
        showFinalizers(object?.metadata.finalizers ?? [])
        return object === undefined || (uid !== undefined && object.metadata.uid !== uid)
      }
      const end = await followObject(collection, name, isGone, { endsAt, signal: terminal.signal }).catch(error => {
        // A user who may delete but not read cannot see when the object is gone: do not wait.
        if (error instanceof ApiError && (error.code === 403 || error.code === 405)) return 'done' as const
        throw error
      })
      if (end === 'interrupted') return exitCodes.interrupted
      if (end === 'timeout') {
        terminal.overwrite?.('')
        terminal.log(
          `${terminal.paint.bad('error:')} timed out waiting for ${current} to be gone; it is still being deleted`,
        )
        return exitCodes.failed
      }
      gone++
    }
    return exitCodes.done
  })
}
