import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../test/support/temporary-folder.js'
import { loadConfiguration } from './load-configuration.js'

const vendor = new Vendor({ ...orchProfile, groupDomain: 'acme.test' })
const known = ['ImagePolicyWebhook', 'EventRateLimit', 'ResourceQuota']
const head = 'apiVersion: apiserver.config.acme.test/v1\nkind: AdmissionConfiguration\n'
/** Loads these files; the option names the first of them. */
function loaded(files: Record<string, string>) {
  const { path: dir, remove } = temporaryFolder()
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
    return { dir, ...loadConfiguration(join(dir, Object.keys(files)[0] ?? ''), vendor, known) }
  } finally {
    remove()
  }
}

const configuration = suite('admission configuration file')

configuration('returns the configuration in the entry of a control, or in the file that the entry names', () => {
  const { configuration: read, problems } = loaded({
    'main.yaml': `${head}plugins:\n- name: EventRateLimit\n  configuration: {limits: [1]}\n- {name: ResourceQuota, path: quota.yaml}\n- {name: ImagePolicyWebhook}`,
    'quota.yaml': 'limitedResources: []',
  })
  assert.equal(problems, [])
  assert.equal(read.of('EventRateLimit'), { limits: [1] })
  assert.equal(read.of('ResourceQuota'), { limitedResources: [] })
  assert.is(read.of('ImagePolicyWebhook'), undefined)
  assert.is(read.of('Other'), undefined)
})

configuration('resolves relative paths from the folder of the file that contains them', () => {
  const { configuration: read, dir } = loaded({
    'main.yaml': `${head}plugins:\n- {name: ImagePolicyWebhook, configuration: {file: x.yaml}}`,
  })
  assert.is(read.pathFor('ImagePolicyWebhook', 'x.yaml'), join(dir, 'x.yaml'))
  assert.is(read.pathFor('ImagePolicyWebhook', '/etc/x.yaml'), '/etc/x.yaml')
})

configuration('may be empty', () => {
  assert.equal(loaded({ 'main.yaml': `${head}plugins:` }).problems, [])
})

configuration('is empty without a file', () => {
  const { configuration: read, problems } = loadConfiguration(undefined, vendor, known)
  assert.equal([read.of('EventRateLimit'), problems], [undefined, []])
})

const broken: Record<string, [text: string, problem: RegExp]> = {
  'is not YAML': ['a: [', /cannot be read/],
  'is of another kind': ['apiVersion: apiserver.config.acme.test/v1\nkind: Policy', /kind AdmissionConfiguration/],
  'is of another vendor': [head.replace('acme', 'other'), /apiserver\.config\.acme\.test\/v1/],
  'is empty': ['', /kind AdmissionConfiguration/],
  'has plugins that are not a list': [`${head}plugins: {}`, /must be a list/],
  'has an entry without a name': [`${head}plugins: [{}]`, /needs a name/],
  'has an entry that is not an object': [`${head}plugins: [7]`, /needs a name/],
  'names an unknown control': [
    `${head}plugins: [{name: EventRateLimits}]`,
    /no admission control "EventRateLimits", did you mean "EventRateLimit"/,
  ],
  'configures a control twice': [
    `${head}plugins: [{name: ResourceQuota, configuration: {}}, {name: ResourceQuota, configuration: {}}]`,
    /twice/,
  ],
  'names a missing file': [`${head}plugins: [{name: ResourceQuota, path: no.yaml}]`, /no\.yaml" cannot be/],
  'has a path that is not a string': [`${head}plugins: [{name: ResourceQuota, path: 7}]`, /must be a text/],
}
for (const [title, [text, problem]] of Object.entries(broken))
  configuration(`is rejected if it ${title}`, () => {
    const { problems } = loaded({ 'main.yaml': text })
    assert.is(problems.length, 1)
    assert.match(problems[0] ?? '', problem)
  })

configuration('is rejected if it does not exist', () => {
  assert.match(loadConfiguration('/nowhere/at/all.yaml', vendor, known).problems[0] ?? '', /cannot be read/)
})

configuration.run()
