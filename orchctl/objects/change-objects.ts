import { ApiError, type ApiObject } from 'orch/sdk'
import {
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fileFlags,
  labelSelectorFlag,
  objectFormats,
  outputFlag,
  showManagedFieldsFlag,
} from '../arguments/shared-flags.js'
import type { Call } from '../command.js'
import { writtenPrinter } from '../output/written.js'
import type { Session } from '../session/session.js'
import { forEach } from './for-each.js'
import { mergePatch, replacesList } from './merge-patch.js'
import { type Selected, selectObjects } from './select-objects.js'

/** Options of everything that changes objects which are there. */
export const changeObjectFlags = [
  labelSelectorFlag,
  ...fileFlags,
  dryRunFlag,
  fieldManagerFlag,
  outputFlag(objectFormats),
  showManagedFieldsFlag,
]

/** What is done to each object. */
export interface Change {
  /** Of the command, for the name of the field manager: `rollout`. */
  readonly verb: string
  /** Told after the name of the object. */
  readonly done: string
  /** The object as it shall be; undefined when it is so already, which is not told; a text when that is to be told. */
  make(
    object: ApiObject,
    one: Selected,
    session: Session,
  ): ApiObject | string | undefined | Promise<ApiObject | string | undefined>
}

const conflictAttempts = 5

/** Changes the objects that words and flags stand for, and tells of each. Returns the exit code. */
export async function changeObjects(call: Call, { verb, done, make }: Change, words = call.words): Promise<number> {
  const session = await call.session()
  const print = writtenPrinter(call)
  const dryRun = dryRunOf(call.flags)
  const fieldManager = call.flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-${verb}`
  const options = { fieldManager, dryRun: dryRun === 'server' }
  const changeOne = async (one: Selected, attempts: number): Promise<void> => {
    const before = await one.collection.get(one.name)
    const after = await make(before, one, session)
    if (after === undefined) return
    if (typeof after === 'string') return print(one, after, before)
    const patch = mergePatch(before, after)
    if (dryRun === 'client' || patch === undefined) return print(one, done, after)
    // A list is sent whole: it must not undo what others did to it meanwhile.
    const { resourceVersion } = before.metadata
    const guarded = replacesList(patch)
      ? { ...patch, metadata: { ...(patch['metadata'] as object | undefined), resourceVersion } }
      : patch
    try {
      print(one, done, await one.collection.patch(one.name, guarded, options))
    } catch (error) {
      const isLate = error instanceof ApiError && error.reason === 'Conflict'
      if (!isLate || attempts <= 1) throw error
      await changeOne(one, attempts - 1)
    }
  }
  return forEach(await selectObjects(call, session, words), call.world, one => changeOne(one, conflictAttempts))
}

/** `deployments.apps "web"`, as errors name an object. */
export const quotedName = ({ kind, name }: Selected): string =>
  `${kind.resource}${kind.group === '' ? '' : `.${kind.group}`} "${name}"`
