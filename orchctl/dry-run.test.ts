import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type OrchctlWorld, withOrchctl } from '../test/support/run-orchctl.js'

const dryRun = suite('orchctl --dry-run=client')

/** Counts the requests that change something. */
const changes = async ({ server }: OrchctlWorld): Promise<number> => {
  const response = await fetch(`${server.baseUrl}/metrics`, { headers: { authorization: `Bearer ${server.token}` } })
  const lines = (await response.text()).split('\n').filter(line => line.startsWith('apiserver_request_total{'))
  return lines
    .filter(line => line.includes('resource="configmaps"') && /verb="(POST|PUT|PATCH|APPLY|DELETE)"/.test(line))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
const manifest = (data: object) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { x: 'y' } }, data })
const dry = '--dry-run=client'

dryRun('sends no write, whatever the command, and shows the resulting object', () =>
  withOrchctl(async terminal => {
    const { run, runWith } = terminal
    await runWith(manifest({ mode: 'slow' }), 'apply', '--server-side=false', '-f', '-')
    const before = await changes(terminal)
    assert.ok(before > 0)

    const applied = await runWith(manifest({ pace: '1' }), 'apply', '-f', '-', dry, '-o', 'json')
    assert.equal(JSON.parse(applied.out).data, { pace: '1' })
    assert.is(
      (await runWith(manifest({ pace: '1' }), 'apply', '-f', '-', dry)).out,
      'configmap/a configured (dry run)\n',
    )
    assert.not.match(
      (await runWith(manifest({}).replace('"a"', '"b"'), 'apply', '-f', '-', dry, '-o', 'yaml')).out,
      'last-applied',
    )
    const fresh = manifest({}).replace('"a"', '"b"')
    assert.is((await runWith(fresh, 'apply', '-f', '-', dry)).out, 'configmap/b created (dry run)\n')
    assert.is((await runWith(fresh, 'create', '-f', '-', dry)).out, 'configmap/b created (dry run)\n')

    const patched = await run(
      'patch',
      'cm/a',
      '--type=merge',
      '-p',
      '{"data":{"mode":null,"new":"1"}}',
      dry,
      '-o',
      'json',
    )
    assert.equal(JSON.parse(patched.out).data, { new: '1' })
    assert.is(
      (await run('patch', 'cm/a', '--type=merge', '-p', '{"data":{"mode":"slow"}}', dry)).out,
      'configmap/a patched (no change) (dry run)\n',
    )
    const labelled = await run('label', 'cm', 'a', 'z=1', 'x-', dry, '-o', 'jsonpath={.metadata.labels}')
    assert.equal(JSON.parse(labelled.out), { z: '1' })
    assert.is((await run('annotate', 'cm', 'a', 'z=1', dry)).out, 'configmap/a annotated (dry run)\n')
    assert.is((await run('delete', 'cm', 'a', dry)).out, 'configmap "a" deleted (dry run)\n')
    assert.is((await run('delete', 'cm', 'nothing', dry)).code, 1)
    assert.is(await changes(terminal), before)
  }),
)

dryRun('is rejected for patches that only the server can apply', () =>
  withOrchctl(async ({ run, runWith }) => {
    await runWith(manifest({}), 'create', '-f', '-')
    for (const type of ['strategic', 'json']) {
      const { code, error } = await run('patch', 'cm/a', `--type=${type}`, '-p', '[]', dry)
      assert.is(code, 2)
      assert.match(error, '--dry-run=server')
    }
  }),
)

dryRun.run()
