import type { Command } from '../command.js'
import { annotate } from './annotate.js'
import { apiResources } from './api-resources.js'
import { apiVersions } from './api-versions.js'
import { apply } from './apply.js'
import { canI } from './auth/can-i.js'
import { approve, deny } from './certificate/decide.js'
import { complete } from './completion/complete.js'
import { completion } from './completion.js'
import { currentContext, getContexts, setContext, useContext } from './config/contexts.js'
import { configView } from './config/view.js'
import { create } from './create.js'
import { createToken } from './create-token.js'
import { deleteCommand } from './delete.js'
import { describe } from './describe.js'
import { diff } from './diff.js'
import { edit } from './edit.js'
import { explain } from './explain.js'
import { get } from './get.js'
import { label } from './label.js'
import { patch } from './patch.js'
import { version } from './version.js'
import { wait } from './wait.js'

/** Every command, in the order of help. */
export const commands: readonly Command[] = [
  get,
  describe,
  create,
  createToken,
  apply,
  diff,
  edit,
  patch,
  label,
  annotate,
  deleteCommand,
  wait,
  explain,
  apiResources,
  apiVersions,
  canI,
  approve,
  deny,
  configView,
  getContexts,
  currentContext,
  useContext,
  setContext,
  completion,
  version,
  complete(() => commands),
]
