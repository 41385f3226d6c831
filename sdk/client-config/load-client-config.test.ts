import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { orchProfile, Vendor } from '../plugin/vendor.js'
import { chooseContext } from './choose-context.js'
import { connectionFromConfig } from './client-from-config.js'
import { ClientConfigError } from './config-file.js'
import { loadClientConfig } from './load-client-config.js'

const vendor = new Vendor({
  ...orchProfile,
  groupDomain: 'acme.test',
  env: { execInfo: 'ACME_EXEC_INFO', clientConfig: 'ACMECONFIG' },
  clientConfigPath: '.acme/none',
})

async function inFolder(files: Record<string, string>, test: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'client-config-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    await test(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
async function problemsOf(work: Promise<unknown>): Promise<readonly string[]> {
  try {
    await work
  } catch (error) {
    assert.instance(error, ClientConfigError)
    return (error as ClientConfigError).problems
  }
  return []
}
/** The problems of a config with one user and one cluster. */
async function problemsWith(user: string, cluster = '{server: "https://a"}') {
  let problems: readonly string[] = []
  const text = `
clusters: [{name: c, cluster: ${cluster}}]
users: [{name: u, user: ${user}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x`
  await inFolder({ config: text }, async folder => {
    const options = { vendor, environment: {}, path: join(folder, 'config') }
    problems = await problemsOf(loadClientConfig(options).then(config => connectionFromConfig(config, options)))
  })
  return problems
}

const loading = suite('client config')

loading('files are merged: the first to name something wins, missing files are skipped', async () => {
  const files = {
    one: 'current-context: ""\nclusters: [{name: c, cluster: {server: "https://first"}}]\nusers: null',
    two: `
current-context: x
clusters: [{name: c, cluster: {server: "https://second"}}, {name: d, cluster: {server: "https://d"}}]
contexts: [{name: x, context: {cluster: c, user: u, namespace: "n"}}]
users: [{name: u, user: {token: t}}]`,
  }
  await inFolder(files, async folder => {
    const paths = ['one', 'missing', 'two'].map(name => join(folder, name))
    const config = await loadClientConfig({ vendor, environment: { ACMECONFIG: paths.join(delimiter) } })
    assert.is(config.currentContext, 'x')
    assert.equal([...config.clusters.keys()], ['c', 'd'])
    assert.is(config.clusters.get('c')?.server, 'https://first')
    assert.equal(config.files, [paths[0], paths[2]])
    const chosen = chooseContext(config)
    assert.equal([chosen.namespace, chosen.userName], ['n', 'u'])
    assert.is(chooseContext(config, { cluster: 'd', namespace: 'other' }).cluster.server, 'https://d')
  })
})
loading('a file given by path must exist', async () => {
  const problems = await problemsOf(loadClientConfig({ vendor, environment: {}, path: '/nowhere/config' }))
  assert.equal(problems, ['cannot read /nowhere/config: ENOENT'])
})
loading('paths are relative to their file, bare commands are not paths', async () => {
  const text = `
clusters: [{name: c, cluster: {certificate-authority: ca.pem}}]
users:
  - {name: u, user: {client-certificate: pki/c.pem, client-key: /abs/k.pem, tokenFile: ../token}}
  - {name: v, user: {exec: {command: ./bin/login}}}
  - {name: w, user: {exec: {command: login}}}`
  await inFolder({ 'sub/config': text }, async folder => {
    const config = await loadClientConfig({ vendor, environment: {}, path: join(folder, 'sub/config') })
    assert.is(config.clusters.get('c')?.['certificate-authority'], join(folder, 'sub/ca.pem'))
    assert.is(config.users.get('u')?.['client-certificate'], join(folder, 'sub/pki/c.pem'))
    assert.is(config.users.get('u')?.['client-key'], '/abs/k.pem')
    assert.is(config.users.get('u')?.tokenFile, join(folder, 'token'))
    assert.is(config.users.get('v')?.exec?.command, join(folder, 'sub/bin/login'))
    assert.is(config.users.get('w')?.exec?.command, 'login')
  })
})
loading('names an invalid file without quoting its secrets', async () => {
  await inFolder({ bad: 'users:\n- token: [hunter2', odd: 'users: {token: hunter2}' }, async folder => {
    for (const name of ['bad', 'odd']) {
      const [problem = ''] = await problemsOf(loadClientConfig({ vendor, environment: {}, path: join(folder, name) }))
      assert.match(problem, join(folder, name))
      assert.not.match(problem, 'hunter2')
    }
  })
})
loading('reports that there is no file', async () => {
  const config = await loadClientConfig({ vendor, environment: {} })
  assert.throws(() => chooseContext(config), /no configuration has been provided/)
  assert.throws(() => chooseContext(config, { context: 'x' }), /no context exists with the name "x"/)
})
loading('inline data wins over files', async () => {
  const encoded = Buffer.from('INLINE').toString('base64')
  const text = `
clusters: [{name: c, cluster: {server: "https://a", certificate-authority-data: ${encoded}, certificate-authority: x.pem}}]
contexts: [{name: x, context: {cluster: c}}]
current-context: x`
  await inFolder({ config: text }, async folder => {
    const options = { vendor, environment: {}, path: join(folder, 'config') }
    const { transport } = await connectionFromConfig(await loadClientConfig(options), options)
    assert.is(transport.caPem, 'INLINE')
  })
})

const exec = (fields: string) => `{exec: {command: x, apiVersion: client.authentication.acme.test/v1, ${fields}}}`
const cases: Record<string, [user: string, problem: RegExp]> = {
  'a certificate without a key': ['{client-certificate-data: YQ==}', /client-key-data or client-key must/],
  'a key without a certificate': ['{client-key-data: YQ==}', /client-certificate-data or client-certificate must/],
  'two methods': ['{token: a, username: b}', /found token, basicAuth, only one/],
  'impersonated groups without a user': ['{as-groups: [a]}', /without impersonating a user/],
  'an unknown provider': ['{auth-provider: {name: gcp}}', /no auth provider found for name "gcp"/],
  'a plugin without a command': ['{exec: {apiVersion: client.authentication.acme.test/v1beta1}}', /command must be/],
  'a plugin without a version': ['{exec: {command: x, interactiveMode: Never}}', /apiVersion must be/],
  'a plugin of an unknown version': [
    '{exec: {command: x, apiVersion: client.authentication.acme.test/v9, interactiveMode: Never}}',
    /invalid apiVersion/,
  ],
  'a v1 plugin without interactiveMode': [exec(''), /interactiveMode must be/],
  'an unknown interactiveMode': [exec('interactiveMode: Maybe'), /invalid interactiveMode for "u": "Maybe"/],
  'a plugin with a nameless variable': [exec('interactiveMode: Never, env: [{value: a}]'), /env variable name must be/],
}
for (const [what, [user, problem]] of Object.entries(cases))
  loading(`refuses ${what}`, async () => {
    const problems = await problemsWith(user)
    assert.is(problems.length, 1, problems.join())
    assert.match(problems[0] ?? '', problem)
  })
loading('a v1beta1 plugin needs no interactiveMode', async () => {
  assert.equal(await problemsWith('{exec: {command: x, apiVersion: client.authentication.acme.test/v1beta1}}'), [])
})
loading('rejects clusters without a usable address or trust', async () => {
  assert.equal(await problemsWith('{}', '{}'), ['no server found for cluster "c"'])
  assert.is((await problemsWith('{}', '{server: "ftp://x"}')).length, 1)
  assert.is((await problemsWith('{}', '{server: "https://x", proxy-url: "socks5://y"}')).length, 1)
  const both = '{server: "https://x", insecure-skip-tls-verify: true, certificate-authority-data: YQ==}'
  assert.match((await problemsWith('{}', both))[0] ?? '', /not allowed/)
})
loading.run()
