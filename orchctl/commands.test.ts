import { readFileSync } from 'node:fs'
import { kubernetesProfile, orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aSigningRequest, withOrchctl } from '../test/support/run-orchctl.js'

const commands = suite('orchctl and its commands')

const configMap = (name: string, data: Record<string, string>) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

commands('waits for fields, conditions and deletions', () =>
  withOrchctl(async ({ run, runWith }) => {
    assert.is(
      (await run('wait', 'ns/default', '--for=jsonpath={.status.phase}=Active')).out,
      'namespace/default condition met\n',
    )
    const late = await run('wait', 'ns/default', '--for=condition=Ready', '--timeout=1s')
    assert.equal([late.code, late.error], [1, 'error: timed out waiting for condition Ready of namespace/default\n'])
    const coming = run('wait', 'cm/a', '--for=create')
    await runWith(configMap('a', { mode: 'slow' }), 'create', '-f', '-')
    assert.is((await coming).out, 'configmap/a created\n')
    const going = run('wait', 'cm', 'a', '--for=delete')
    await run('delete', 'cm/a')
    assert.is((await going).code, 0)
    assert.is((await run('wait', 'cm/a')).code, 2)
  }),
)

commands('describes objects but not the values of Secrets', () =>
  withOrchctl(async ({ run, runWith }) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { word: 'hunter2' } }
    await runWith(JSON.stringify(secret), 'create', '-f', '-')
    const { out } = await run('describe', 'secret', 's')
    assert.match(out, /^Name: +s\nNamespace: +default\nLabels: +<none>/)
    assert.match(out, /Data:\n {2}word: {2}7 bytes/)
  }),
)

commands('explains types and fields', () =>
  withOrchctl(async ({ run }) => {
    assert.match(
      (await run('explain', 'cm')).out,
      /^KIND: +ConfigMap\nVERSION: +v1\n[\s\S]*data\t<map\[string\]string>/,
    )
    const field = await run('explain', 'configmaps.metadata.ownerReferences')
    assert.match(field.out, /FIELD: +ownerReferences <\[\]Object>[\s\S]*apiVersion\t<string> -required-/)
    assert.match((await run('explain', 'cm', '--recursive')).out, /metadata\t<Object>\n {6}annotations\t/)
    const wrong = await run('explain', 'cm.dat')
    assert.equal([wrong.code, /it has .*data/.test(wrong.error)], [2, true])
  }),
)

for (const profile of [orchProfile, kubernetesProfile])
  commands(`asks about permissions, approves requests and makes tokens with the names of ${profile.name}`, () =>
    withOrchctl(async ({ run, runWith }) => {
      assert.equal(await run('auth', 'can-i', 'create', 'cm'), { code: 0, out: 'yes\n', error: '' })
      assert.is((await run('auth', 'can-i', 'create', 'cm', '--as', 'nobody')).code, 1)
      assert.match((await run('auth', 'can-i', '--list')).out, /^RESOURCES.*\n\*\.\*/)
      const vendor = new Vendor(profile)
      const request = {
        apiVersion: `${vendor.group('certificates')}/v1`,
        kind: 'CertificateSigningRequest',
        metadata: { name: 'jane' },
        spec: { request: await aSigningRequest(), signerName: vendor.signer('client'), usages: ['client auth'] },
      }
      await runWith(JSON.stringify(request), 'create', '-f', '-')
      const label = `certificatesigningrequest.${vendor.group('certificates')}/jane`
      assert.is((await run('certificate', 'approve', 'jane')).out, `${label} approved\n`)
      assert.is((await run('certificate', 'approve', 'jane')).out, `${label} was approved already\n`)
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder' } }
      await runWith(JSON.stringify(account), 'create', '-f', '-')
      assert.is((await run('create', 'token', 'builder', '--duration=10m')).out.split('.').length, 3)
    }, profile),
  )

commands('keeps contexts in the config file and hides its secrets', () =>
  withOrchctl(async ({ run, server, folder }) => {
    assert.not.match((await run('config', 'view')).out, server.token)
    assert.match((await run('config', 'view', '--raw')).out, server.token)
    const set = await run('config', 'set-context', 'other', '--cluster=test', '--user=admin', '--namespace=orch-system')
    assert.is(set.out, 'Context "other" created.\n')
    assert.is((await run('config', 'use-context', 'other')).code, 0)
    assert.is((await run('config', 'current-context')).out, 'other\n')
    assert.match((await run('config', 'get-contexts')).out, /\n\* +other +test +admin +orch-system\n/)
    assert.is((await run('get', 'sa', 'default', '-o', 'jsonpath={.metadata.namespace}')).out, 'orch-system')
    assert.is((await run('config', 'use-context', 'nowhere')).code, 2)
    assert.match(readFileSync(`${folder.path}/config`, 'utf8'), '"current-context": "other"')
  }),
)

commands('completes commands, flags, types and names', () =>
  withOrchctl(async ({ run }) => {
    const complete = async (...words: string[]) => (await run('__complete', '--', ...words)).out.trim().split('\n')
    assert.equal(await complete('app'), ['apply'])
    assert.equal(await complete('config', 'use'), ['use-context'])
    assert.equal(await complete('get', '--field'), ['--field-selector'])
    assert.equal(await complete('get', 'configm'), ['configmaps'])
    assert.equal(await complete('get', 'ns', 'def'), ['default'])
    assert.equal(await complete('get', 'ns/def'), ['ns/default'])
    assert.equal(await complete('get', 'cm', '-n', 'def'), ['default'])
    assert.equal(await complete('config', 'use-context', ''), ['test'])
    assert.match((await run('completion', 'bash')).out, 'complete -o default -F _orchctl orchctl')
  }),
)

commands('lists what the server serves', () =>
  withOrchctl(async ({ run }) => {
    assert.match((await run('api-resources')).out, /\nconfigmaps +cm +v1 +true +ConfigMap\n/)
    assert.equal((await run('api-resources', '--api-group=', '--namespaced=false', '-o', 'name')).out, 'namespaces\n')
    assert.match((await run('api-versions')).out, /^authentication\.[\s\S]*\nv1\n$/)
    assert.match((await run('version')).out, /^Client version: v\S+\nServer version: v1\.23/)
  }),
)

commands('ends with an exit code and one line that says what to do', () =>
  withOrchctl(async ({ run }) => {
    const cases: [string[], number, RegExp][] = [
      [['gte', 'cm'], 2, /^error: there is no command "gte", did you mean "get".*\n$/],
      [['get', 'cm', '--nope'], 2, /^error: unknown flag --nope; see --help\n$/],
      [['get', 'cm', '-o', 'xml'], 2, /^error: -o must be one of .*\n$/],
      [['apply', '-f', '/nowhere.yaml'], 2, /^error: there is no file \/nowhere.yaml\n$/],
      [['get', 'cm', '--context=nowhere'], 2, /^error: .*no context exists with the name "nowhere".*\n$/],
      [['get', 'cm', '--token=wrong'], 1, /^error: the server does not know you.*\n$/],
      [['get', 'cm', '--as=nobody'], 1, /^error: \(Forbidden\) .*\n$/],
      [['get', 'cm', '--server=http://127.0.0.1:1'], 3, /^error: no answer from the server: .*\n$/],
    ]
    for (const [args, code, line] of cases) {
      const ended = await run(...args)
      assert.is(ended.code, code, args.join(' '))
      assert.match(ended.error, line)
    }
    const help = await run('help', 'wait')
    assert.match(help.out, /Usage: orchctl wait [\s\S]*Examples:\n {2}# /)
    assert.not.match((await run('get', 'ns')).out, '\u001b')
    assert.match((await run('get', 'ns', '--color=always')).out, '\u001b[32mActive')
  }),
)

commands.run()
