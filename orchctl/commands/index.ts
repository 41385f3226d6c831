import type { Command } from '../command.js'
import { annotate } from './annotate.js'
import { apiResources } from './api-resources.js'
import { apiVersions } from './api-versions.js'
import { editLastApplied, setLastApplied, viewLastApplied } from './apply/last-applied.js'
import { apply } from './apply.js'
import { canI } from './auth/can-i.js'
import { reconcile } from './auth/reconcile.js'
import { whoami } from './auth/whoami.js'
import { autoscale } from './autoscale.js'
import { approve, deny } from './certificate/decide.js'
import { clusterInfo } from './cluster-info.js'
import { clusterInfoDump } from './cluster-info-dump.js'
import { complete } from './completion/complete.js'
import { completion } from './completion.js'
import { currentContext, getContexts, renameContext, setContext, useContext } from './config/contexts.js'
import { deleteCluster, deleteContext, deleteUser } from './config/delete-entry.js'
import { configSet, configUnset, getClusters, getUsers } from './config/entries.js'
import { setCluster } from './config/set-cluster.js'
import { setCredentials } from './config/set-credentials.js'
import { configView } from './config/view.js'
import { createConfigMap } from './create/configmap.js'
import { createIngress } from './create/ingress.js'
import { createClusterRole, createClusterRoleBinding, createRole, createRoleBinding } from './create/permissions.js'
import {
  createNamespace,
  createPodDisruptionBudget,
  createPriorityClass,
  createQuota,
  createServiceAccount,
} from './create/plain.js'
import { createGenericSecret, createRegistrySecret, createTlsSecret } from './create/secret.js'
import {
  createClusterIpService,
  createExternalNameService,
  createLoadBalancerService,
  createNodePortService,
} from './create/service.js'
import { createToken } from './create/token.js'
import { createCronJob, createDeployment, createJob } from './create/workloads.js'
import { create } from './create.js'
import { deleteCommand } from './delete.js'
import { describe } from './describe.js'
import { diff } from './diff.js'
import { edit } from './edit.js'
import { events } from './events.js'
import { explain } from './explain.js'
import { expose } from './expose.js'
import { get } from './get.js'
import { kustomize } from './kustomize.js'
import { label } from './label.js'
import { logs } from './logs.js'
import { cordon, uncordon } from './node/cordon.js'
import { drain } from './node/drain.js'
import { taint } from './node/taint.js'
import { options } from './options.js'
import { patch } from './patch.js'
import { pluginList } from './plugin-list.js'
import {
  pluginsCheck,
  pluginsDisable,
  pluginsEnable,
  pluginsInstall,
  pluginsList,
  pluginsLogs,
  pluginsRollback,
  pluginsShow,
  pluginsUninstall,
  pluginsUpgrade,
} from './plugins/plugins.js'
import { cp } from './pod/cp.js'
import { debug } from './pod/debug.js'
import { attach, exec } from './pod/exec.js'
import { portForward } from './pod/port-forward.js'
import { run } from './pod/run.js'
import { policyTest } from './policy/test.js'
import { proxy } from './proxy.js'
import { replace } from './replace.js'
import { rolloutHistory, rolloutUndo } from './rollout/history.js'
import { rolloutPause, rolloutRestart, rolloutResume, rolloutStatus } from './rollout/rollout.js'
import { scale } from './scale.js'
import { setEnv } from './set/env.js'
import { setSelector, setServiceAccount, setSubject } from './set/fields.js'
import { setImage } from './set/image.js'
import { setResources } from './set/resources.js'
import { topNode, topPod } from './top.js'
import { version } from './version.js'
import { wait } from './wait.js'

/** Every command, in the order of help. */
export const commands: readonly Command[] = [
  get,
  describe,
  events,
  logs,
  topNode,
  topPod,
  run,
  exec,
  attach,
  cp,
  portForward,
  proxy,
  debug,
  create,
  createClusterRole,
  createClusterRoleBinding,
  createConfigMap,
  createCronJob,
  createDeployment,
  createIngress,
  createJob,
  createNamespace,
  createPodDisruptionBudget,
  createPriorityClass,
  createQuota,
  createRole,
  createRoleBinding,
  createGenericSecret,
  createTlsSecret,
  createRegistrySecret,
  createClusterIpService,
  createNodePortService,
  createLoadBalancerService,
  createExternalNameService,
  createServiceAccount,
  createToken,
  apply,
  viewLastApplied,
  setLastApplied,
  editLastApplied,
  diff,
  kustomize,
  edit,
  replace,
  patch,
  label,
  annotate,
  deleteCommand,
  expose,
  scale,
  autoscale,
  setImage,
  setEnv,
  setResources,
  setSelector,
  setServiceAccount,
  setSubject,
  cordon,
  uncordon,
  drain,
  taint,
  rolloutStatus,
  rolloutHistory,
  rolloutUndo,
  rolloutRestart,
  rolloutPause,
  rolloutResume,
  wait,
  explain,
  apiResources,
  apiVersions,
  clusterInfo,
  clusterInfoDump,
  canI,
  whoami,
  reconcile,
  approve,
  deny,
  policyTest,
  configView,
  getContexts,
  getClusters,
  getUsers,
  currentContext,
  useContext,
  setContext,
  renameContext,
  setCluster,
  setCredentials,
  deleteContext,
  deleteCluster,
  deleteUser,
  configSet,
  configUnset,
  completion,
  options,
  version,
  pluginsInstall,
  pluginsList,
  pluginsShow,
  pluginsEnable,
  pluginsCheck,
  pluginsDisable,
  pluginsUpgrade,
  pluginsRollback,
  pluginsLogs,
  pluginsUninstall,
  pluginList(() => commands),
  complete(() => commands),
]
