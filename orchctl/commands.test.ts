import { kubernetesProfile, orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aSigningRequest, withOrchctl } from '../test/support/run-orchctl.js'

const commands = suite('orchctl and its commands')

const configMap = (name: string, data: Record<string, string>) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

commands('waits for fields, conditions, creation and deletion', () =>
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
    const older = await run('explain', 'cm.data', '--output=plaintext-openapiv2')
    assert.equal(
      [older.code, /^KIND: +ConfigMap\n[\s\S]*FIELD: +data <map\[string\]string>/.test(older.out)],
      [0, true],
    )
    assert.match((await run('explain', 'cm', '-o', 'html')).error, /output.*plaintext, plaintext-openapiv2/)
    const wrong = await run('explain', 'cm.dat')
    assert.equal([wrong.code, /it has .*data/.test(wrong.error)], [2, true])
  }),
)

for (const profile of [orchProfile, kubernetesProfile])
  commands(`checks permissions, approves requests and creates tokens with the names of ${profile.name}`, () =>
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
      await runWith(JSON.stringify({ ...request, metadata: { name: 'joe' } }), 'create', '-f', '-')
      assert.is((await run('certificate', 'deny', 'joe')).out, `${label.replace('jane', 'joe')} denied\n`)
      assert.match((await run('get', 'csr', 'joe', '-o', 'wide')).out, /^NAME.*\njoe .*Denied/)
      assert.is((await run('certificate', 'approve', 'joe')).code, 1, 'either is final')
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder' } }
      await runWith(JSON.stringify(account), 'create', '-f', '-')
      assert.is((await run('create', 'token', 'builder', '--duration=10m')).out.split('.').length, 3)
    }, profile),
  )

commands.run()
