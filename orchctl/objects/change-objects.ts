import type { ApiObject } from 'orch/sdk'
import {
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fileFlags,
  labelSelectorFlag,
  printFlags,
} from '../arguments/shared-flags.js'
import type { Call } from '../command.js'
import { writtenPrinter } from '../output/written.js'
import type { Session } from '../session/session.js'
import { forEach } from './for-each.js'
import { mergePatch, replacesList } from './merge-patch.js'
import { retryConflicts } from './retry-conflicts.js'
import { type Selected, selectObjects } from './select-objects.js'

/** Options of all commands that change existing objects. */
export const changeObjectFlags = [labelSelectorFlag, ...fileFlags, dryRunFlag, fieldManagerFlag, ...printFlags]

/** The change of each object. */
export interface Change {
  /** The command, for the name of the field manager: `rollout`. */
  readonly verb: string
  /** Printed after the name of the object. */
  readonly done: string
  /** Returns the changed object; undefined if there is no change, or a message to print about that. */
  make(
    object: ApiObject,
    one: Selected,
    session: Session,
  ): ApiObject | string | undefined | Promise<ApiObject | string | undefined>
}

/** Changes the objects that arguments and flags select, and reports each. Returns the exit code. */
export async function changeObjects(call: Call, { verb, done, make }: Change, args = call.args): Promise<number> {
  const session = await call.session()
  const print = writtenPrinter(call)
  const dryRun = dryRunOf(call.flags)
  const fieldManager = call.flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-${verb}`
  const options = { fieldManager, dryRun: dryRun === 'server' }
  const changeOne = async (one: Selected): Promise<void> => {
    const before = await one.collection.get(one.name)
    const after = await make(before, one, session)
    if (after === undefined) return
    if (typeof after === 'string') return print(one, after, before)
    const patch = mergePatch(before, after)
    if (dryRun === 'client' || patch === undefined) return print(one, done, after)
    // A list is sent as a whole; the resource version ensures that concurrent changes to it are not lost.
    const { resourceVersion } = before.metadata
    const guarded = replacesList(patch)
      ? { ...patch, metadata: { ...(patch['metadata'] as object | undefined), resourceVersion } }
      : patch
    print(one, done, await one.collection.patch(one.name, guarded, options))
  }
  const selected = await selectObjects(call, session, args)
  return forEach(selected, call.terminal, one => retryConflicts(() => changeOne(one)))
}

/** `deployments.apps "web"`, the form in error messages. */
export const quotedName = ({ kind, name }: Selected): string =>
  `${kind.resource}${kind.group === '' ? '' : `.${kind.group}`} "${name}"`
