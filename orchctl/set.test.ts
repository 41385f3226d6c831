import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withOrchctl } from '../test/support/run-orchctl.js'

const set = suite('orchctl set')

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          { name: 'nginx', image: 'nginx:1', env: [{ name: 'A', value: '1' }] },
          { name: 'log', image: 'log:1' },
        ],
      },
    },
  },
}
const binding = {
  apiVersion: 'rbac/v1',
  kind: 'RoleBinding',
  metadata: { name: 'readers' },
  roleRef: { apiGroup: 'rbac', kind: 'Role', name: 'reader' },
  subjects: [{ kind: 'User', apiGroup: 'rbac', name: 'jane' }],
}

set('changes files without a server, with all subcommands', () =>
  withOrchctl(async ({ run, folder }) => {
    const file = folder.write('web.yaml', JSON.stringify(deployment))
    const local = async (...args: string[]) => {
      const { out, error, code } = await run(
        'set',
        ...args,
        '-f',
        file,
        '--local',
        '-o',
        'json',
        '-s',
        'https://nobody.test',
      )
      assert.is(code, 0, error)
      return JSON.parse(out).spec.template.spec
    }
    const [nginx, log] = (await local('image', 'nginx=nginx:2', 'log=log:2')).containers
    assert.equal([nginx.image, log.image], ['nginx:2', 'log:2'])
    const env = (await local('env', 'B=2', 'A-', '-c', 'ng*')).containers
    assert.equal([env[0].env, env[1].env], [[{ name: 'B', value: '2' }], undefined])
    const limited = (await local('resources', '--limits=cpu=200m,memory=1Gi', '--requests=cpu=100m')).containers[1]
    assert.equal(limited.resources, { limits: { cpu: '200m', memory: '1Gi' }, requests: { cpu: '100m' } })
    assert.is((await local('serviceaccount', 'builder')).serviceAccountName, 'builder')
    const wrong = await run('set', 'resources', '-f', file, '--local', '--limits=cpu=much')
    assert.equal([wrong.code, /"much" is not an amount of cpu/.test(wrong.error)], [2, true])
    assert.match(
      (await run('set', 'image', '-f', file, '--local', 'other=x')).error,
      'unable to find container named "other"',
    )

    const service = folder.write(
      'service.yaml',
      JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } }),
    )
    const selected = await run('set', 'selector', '-f', service, 'app=a,stage=b', '--local', '-o', 'json')
    assert.equal(JSON.parse(selected.out).spec.selector, { app: 'a', stage: 'b' })
    const bound = folder.write('binding.yaml', JSON.stringify(binding))
    const subjects = await run(
      'set',
      'subject',
      '-f',
      bound,
      '--user=jane',
      '--group=g',
      '--serviceaccount=n:a',
      '--local',
      '-o',
      'json',
    )
    assert.equal(
      JSON.parse(subjects.out).subjects.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`),
      ['User jane', 'Group g', 'ServiceAccount a'],
    )
    assert.is((await run('set', 'env', '-f', file, '--local', 'A=2')).out, 'deployment.apps/web env updated\n')
  }),
)

set('labels, annotates and patches files, too', () =>
  withOrchctl(async ({ run, folder }) => {
    const file = folder.write('web.yaml', JSON.stringify(deployment))
    const labelled = await run('label', '-f', file, '--local', 'a=b', '-o', 'jsonpath={.metadata.labels.a}')
    assert.is(labelled.out, 'b')
    const patched = await run(
      'patch',
      '-f',
      file,
      '--local',
      '-p',
      '{"spec":{"template":{"spec":{"containers":[{"name":"log","image":"x"}]}}}}',
      '-o',
      'jsonpath={.spec.template.spec.containers[*].image}',
    )
    assert.is(patched.out, 'nginx:1 x', 'containers are merged by their names')
    const replaced = await run(
      'patch',
      '-f',
      file,
      '--local',
      '--type=json',
      '-p',
      '[{"op":"add","path":"/spec/replicas","value":3}]',
      '-o',
      'jsonpath={.spec.replicas}',
    )
    assert.is(replaced.out, '3')
  }),
)

set('templates can require that fields exist', () =>
  withOrchctl(async ({ run }) => {
    const get = (...args: string[]) => run('get', 'ns', 'default', ...args)
    assert.is((await get('--template={{.metadata.name}}')).out, 'default')
    assert.is((await get('-o', 'go-template', '--template={{.metadata.name}}')).out, 'default')
    assert.is((await get('-o', 'jsonpath', '--template={.metadata.name}')).out, 'default')
    assert.is((await get('-o', 'jsonpath={.spec.nothing}')).code, 0)
    const path = await get('-o', 'jsonpath={.spec.nothing}', '--allow-missing-template-keys=false')
    assert.equal([path.code, path.error], [1, 'error: nothing is not found\n'])
    const template = await get('--template={{.nothing.at.all}}', '--allow-missing-template-keys=false')
    assert.equal([template.code, /field nothing, which is missing/.test(template.error)], [1, true])
    assert.equal(JSON.parse((await get('-o', 'jsonpath-as-json={.metadata.name}')).out), ['default'])
  }),
)

set('creates services and registry secrets as kubectl does', () =>
  withOrchctl(async ({ run }) => {
    const create = async (...args: string[]) =>
      JSON.parse((await run('create', ...args, '--dry-run=client', '-o', 'json')).out)
    const { metadata, spec } = await create('service', 'clusterip', 'x', '--tcp=5678:8080')
    assert.equal(metadata, { name: 'x', labels: { app: 'x' } })
    assert.equal(spec, {
      ports: [{ name: '5678-8080', port: 5678, protocol: 'TCP', targetPort: 8080 }],
      selector: { app: 'x' },
      type: 'ClusterIP',
    })
    assert.is(
      (await create('service', 'nodeport', 'x', '--tcp=80', '--node-port=30000')).spec.ports[0].nodePort,
      30_000,
    )
    assert.is((await create('service', 'loadbalancer', 'x', '--tcp=80:http')).spec.ports[0].targetPort, 'http')
    assert.is((await create('service', 'externalname', 'x', '--external-name=a.b')).spec.externalName, 'a.b')
    const registry = await create(
      'secret',
      'docker-registry',
      'r',
      '--docker-username=u',
      '--docker-password=p',
      '--docker-email=e@x',
    )
    assert.is(
      registry.data['.dockerconfigjson'],
      'eyJhdXRocyI6eyJodHRwczovL2luZGV4LmRvY2tlci5pby92MS8iOnsidXNlcm5hbWUiOiJ1IiwicGFzc3dvcmQiOiJwIiwiZW1haWwiOiJlQHgiLCJhdXRoIjoiZFRwdyJ9fX0=',
    )
    assert.is((await create('configmap', 'c', '--from-literal=a=b', '--append-hash')).metadata.name, 'c-m4h6ctkgb2')
    assert.is(
      (await create('secret', 'generic', 'c', '--from-literal=a=b', '--append-hash')).metadata.name,
      'c-mdmchtdbm6',
    )
    assert.match((await run('create', 'service')).out, /orchctl create service needs a subcommand/)
    assert.match((await run('create', 'service', 'clusterp', 'x')).error, 'did you mean "create service clusterip"')
  }),
)

set('stores and shows the last applied configuration', () =>
  withOrchctl(async ({ run, runWith }) => {
    const map = (value: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: value } })
    await runWith(map('1'), 'create', '-f', '-')
    assert.match((await run('apply', 'view-last-applied', 'cm/a')).error, 'has no last applied configuration')
    const refused = await runWith(map('2'), 'apply', 'set-last-applied', '-f', '-')
    assert.equal([refused.code, /--create-annotation/.test(refused.error)], [1, true])
    assert.is(
      (await runWith(map('2'), 'apply', 'set-last-applied', '-f', '-', '--create-annotation')).out,
      'configmap/a configured\n',
    )
    assert.match((await run('apply', 'view-last-applied', 'cm/a')).out, /^apiVersion: v1\ndata:\n {2}a: "2"\n/)
    await run('patch', 'cm/a', '--type=merge', '-p', '{"data":{"a":"theirs"}}')
    const lost = await runWith(map('3'), 'apply', '--server-side=false', '--overwrite=false', '-f', '-')
    assert.equal([lost.code, /others have changed \.data\.a of a/.test(lost.error)], [1, true])
    assert.is((await runWith(map('3'), 'apply', '--server-side=false', '-f', '-')).out, 'configmap/a configured\n')
    await runWith(map('1').replace('"a"', '"b"'), 'create', '-f', '-', '--save-config')
    assert.match((await run('apply', 'view-last-applied', 'cm/b', '-o', 'json')).out, '"name": "b"')
  }),
)

set.run()
