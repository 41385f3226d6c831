import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withCluster } from '../test/support/run-orchctl.js'

const debug = suite('orchctl debug')

debug('adds a container to a Pod, copies it with changes, and creates a Pod on a node', () =>
  withCluster(async ({ run, runWith, folder }) => {
    const create = (object: object) => runWith(JSON.stringify(object), 'create', '-f', '-')
    const read = async (target: string) => JSON.parse((await run('get', target, '-o', 'json')).out)
    await create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } })
    const livenessProbe = { tcpSocket: { port: 80 } }
    await create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: { nodeName: 'n1', containers: [{ name: 'nginx', image: 'nginx:1', livenessProbe }] },
    })

    const added = await run('debug', 'web', '--image=busybox', '-c', 'look', '--target=nginx', '--', 'sleep', '1')
    assert.is(added.code, 0, added.error)
    assert.match(added.error, /^Targeting container "nginx"/)
    const [look] = (await read('pod/web')).spec.ephemeralContainers
    assert.equal(
      [look.name, look.image, look.command, look.targetContainerName],
      ['look', 'busybox', ['sleep', '1'], 'nginx'],
    )
    assert.equal(look.securityContext, { capabilities: { add: ['SYS_PTRACE'] } })
    const named = await run('debug', 'web', '--image=busybox', '--profile=restricted')
    assert.match(named.error, /Defaulting debug container name to debugger-\w{5}\./)
    assert.is((await read('pod/web')).spec.ephemeralContainers[1].securityContext.runAsNonRoot, true)

    const custom = folder.write('custom.yaml', 'env: [{ name: COLOR, value: red }]')
    const flags = [
      '--copy-to=copy',
      '--set-image=nginx=nginx:2',
      '--image=busybox',
      '-c',
      'shell',
      `--custom=${custom}`,
    ]
    const copied = await run('debug', 'web', '--same-node', ...flags)
    assert.is(copied.code, 0, copied.error)
    const copy = await read('pod/copy')
    const [nginx, shell] = copy.spec.containers
    assert.equal(
      [nginx.image, nginx.livenessProbe, shell.name, shell.env],
      ['nginx:2', undefined, 'shell', [{ name: 'COLOR', value: 'red' }]],
    )
    assert.equal(
      [copy.metadata.labels, copy.spec.shareProcessNamespace, copy.spec.nodeName],
      [undefined, true, 'n1'],
      'no Service selects the copy',
    )

    const onNode = await run('debug', 'node/n1', '--image=busybox')
    const [, pod = ''] = /Creating debugging pod (\S+) with container debugger on node n1\./.exec(onNode.error) ?? []
    const { spec } = await read(`pod/${pod}`)
    assert.equal([spec.nodeName, spec.hostPID, spec.volumes[0].hostPath.path], ['n1', true, '/'])
  }),
)

debug('reports missing and unknown arguments, and changes nothing', () =>
  withCluster(async ({ run, runWith }) => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }
    await runWith(JSON.stringify(pod), 'create', '-f', '-')
    const failures: Readonly<Record<string, RegExp>> = {
      'debug --image=busybox': /name one Pod or node/,
      'debug web': /--image is required/,
      'debug web --image=busybox --profile=root': /profile.*legacy, general/,
      'debug web --copy-to=copy --set-image=other=i:2': /pod web has no container "other"/,
    }
    for (const [line, expected] of Object.entries(failures)) {
      const { code, error } = await run(...line.split(' '))
      assert.equal([line, code, expected.test(error)], [line, 2, true], error)
    }
    assert.is((await run('debug', 'nobody', '--image=busybox')).code, 1)
    assert.is((await run('get', 'pods', '-o', 'name')).out, 'pod/web\n')
    assert.is((await run('get', 'pod/web', '-o', 'jsonpath={.spec.ephemeralContainers}')).out, '')
  }),
)

debug.run()
