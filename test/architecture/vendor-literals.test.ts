import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanCode } from './scan-code.js'
import { sources } from './sources.js'

/** What only sdk/vendor.ts may spell out. */
const spelledOut = [
  /orch\.io/,
  /k8s\.io/,
  /kubernetes\.io/,
  /\bkube-/,
  /\bkubelet\b/,
  /\bkubectl\b/,
  /x-orch-/,
  /x-kubernetes-/,
  /vnd\.(orch|kubernetes)/,
  /\borch-(system|public|node-lease)/,
  /ORCH_EXEC_INFO|KUBERNETES_EXEC_INFO|KUBECONFIG|ORCHCONFIG/,
]
const home = 'sdk/vendor.ts'

const literals = suite('vendor names are data')

literals('no literal in kernel, sdk, plugins and orchctl carries a vendor name', () => {
  const found = sources('kernel', 'sdk', 'plugins', 'orchctl')
    .filter(source => !source.isTest && source.path !== home)
    .flatMap(({ path, text }) =>
      scanCode(text)
        .literals.filter(literal => spelledOut.some(pattern => pattern.test(literal)))
        .map(literal => `${path}: ${literal.slice(0, 80)}`),
    )
  assert.equal(found, [])
})

literals.run()
