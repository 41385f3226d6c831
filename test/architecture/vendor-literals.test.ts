import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanCode } from './scan-code.js'
import { type Source, sources } from './sources.js'

/** Literals that only sdk/plugin/vendor.ts may contain. */
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
const home = 'sdk/plugin/vendor.ts'
/** Files about programs of other projects, with their names and flags. */
const aboutOthers = /^plugins\/envtest\/reference-[a-z]+\.ts$/

const literals = suite('vendor names are data')

const spellings = (files: readonly Source[]): string[] =>
  files
    .filter(source => !source.isTest && source.path !== home && !aboutOthers.test(source.path))
    .flatMap(({ path, text }) =>
      scanCode(text)
        .literals.filter(literal => spelledOut.some(pattern => pattern.test(literal)))
        .map(literal => `${path}: ${literal.slice(0, 80)}`),
    )

literals('no literal in kernel, sdk, plugins and orchctl contains a vendor name', () => {
  assert.equal(spellings(sources('libs', 'kernel', 'sdk', 'plugins', 'orchctl')), [])
})

for (const name of [
  'metadata.orch.io',
  'app.kubernetes.io/name',
  'kube-system',
  'application/vnd.orch.protobuf',
  'KUBECONFIG',
]) {
  literals(`finds a planted ${name}, except in the file of vendors`, () => {
    const source = (path: string): Source => ({ path, text: `const a = '${name}'`, isTest: false })
    assert.is(spellings([source('plugins/quotas/a.ts')]).length, 1)
    assert.equal(spellings([source(home)]), [])
  })
}

literals.run()
