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
import { deleteCluster, deleteContext, deleteUser } from './config/delete-entry.js'
import { setCluster } from './config/set-cluster.js'
import { setCredentials } from './config/set-credentials.js'
import { configView } from './config/view.js'
import { createConfigMap } from './create/configmap.js'
import { createNamespace } from './create/namespace.js'
import { createSecret } from './create/secret.js'
import { createServiceAccount } from './create/service-account.js'
import { createToken } from './create/token.js'
import { create } from './create.js'
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
  createConfigMap,
  createNamespace,
  createSecret,
  createServiceAccount,
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
  setCluster,
  setCredentials,
  deleteContext,
  deleteCluster,
  deleteUser,
  completion,
  version,
  complete(() => commands),
]
