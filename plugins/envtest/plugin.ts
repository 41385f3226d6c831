import { definePlugin } from 'orch/sdk'
import { envtestCommand } from './envtest-command.js'

/** `orch envtest`: programs that replace kube-apiserver and etcd in test suites. */
export const envtest = definePlugin({
  name: 'envtest',
  register: to => to.command(envtestCommand),
})
