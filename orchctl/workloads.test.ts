import { kubernetesProfile, orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withCluster } from '../test/support/run-orchctl.js'

const workloads = suite('orchctl and workloads')

for (const profile of [orchProfile, kubernetesProfile])
  workloads(`rolls out, goes back, scales and exposes with the names of ${profile.name}`, () =>
    withCluster(async ({ run }) => {
      const vendor = new Vendor(profile)
      const told = async (...words: string[]) => {
        const { out, error } = await run(...words)
        return out + error
      }
      const rolledOut = () => run('rollout', 'status', 'deploy/web', '--timeout=60s')
      const create = ['create', 'deployment', 'web', '--image=nginx:1', '--replicas=2', '--port=80']
      assert.is(await told(...create), 'deployment.apps/web created\n')
      assert.match((await rolledOut()).out, /deployment "web" successfully rolled out\n$/)
      assert.is(await told('set', 'image', 'deploy/web', 'nginx=nginx:2'), 'deployment.apps/web image updated\n')
      assert.is(await told('set', 'image', 'deploy/web', '*=nginx:2'), '', 'it is so already')
      assert.is(await told('set', 'image', 'deploy/web', 'no=a'), 'error: unable to find container named "no"\n')
      assert.is((await rolledOut()).code, 0)
      const history = 'deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n\n'
      assert.is(await told('rollout', 'history', 'deploy/web'), history)
      const second = await told('rollout', 'history', 'deploy', 'web', '--revision=2')
      assert.match(second, /^deployment\.apps\/web with revision #2\nPod Template:\n {2}Labels:\tapp=web\n/)
      assert.match(second, /\n {3}nginx:\n {4}Image:\tnginx:2\n {4}Port:\t80\/TCP\n {4}Host Port:\t0\/TCP\n/)
      assert.is(await told('rollout', 'undo', 'deploy/web'), 'deployment.apps/web rolled back\n')
      assert.is((await rolledOut()).code, 0)
      const images = ['get', 'deploy/web', '-o', 'jsonpath={.spec.template.spec.containers[*].image}']
      assert.is(await told(...images), 'nginx:1')
      assert.is(
        await told('rollout', 'undo', 'deploy/web', '--to-revision=3'),
        'deployment.apps/web skipped rollback (current template already matches revision 3)\n',
      )
      const missing = await run('rollout', 'undo', 'deploy/web', '--to-revision=7')
      assert.equal([missing.code, missing.error], [1, 'error: unable to find specified revision 7 in history\n'])

      assert.is(await told('rollout', 'pause', 'deploy/web'), 'deployment.apps/web paused\n')
      assert.is(await told('rollout', 'pause', 'deploy/web'), 'error: deployments.apps "web" is already paused\n')
      assert.match(await told('rollout', 'undo', 'deploy/web'), 'you cannot rollback a paused deployment')
      assert.match(await told('rollout', 'restart', 'deploy/web'), "can't restart paused deployment")
      assert.is(await told('rollout', 'resume', 'deploy/web'), 'deployment.apps/web resumed\n')
      assert.is(await told('rollout', 'resume', 'deploy/web'), 'error: deployments.apps "web" is not paused\n')
      assert.is(await told('rollout', 'restart', 'deploy/web'), 'deployment.apps/web restarted\n')
      const annotations = await told('get', 'deploy/web', '-o', 'jsonpath={.spec.template.metadata.annotations}')
      assert.equal(Object.keys(JSON.parse(annotations)), [vendor.qualify('restartedAt', profile.cli)])
      assert.is((await rolledOut()).code, 0)

      const wrong = await run('scale', 'deploy/web', '--replicas=3', '--current-replicas=5')
      assert.equal([wrong.code, wrong.error], [1, 'error: Expected replicas to be 5, was 2\n'])
      assert.is(await told('scale', 'deploy/web', '--replicas=3', '--timeout=60s'), 'deployment.apps/web scaled\n')
      assert.is(await told('get', 'deploy/web', '-o', 'jsonpath={.spec.replicas}'), '3')
      assert.is((await run('scale', 'svc/web', '--replicas=3')).code, 2)
      assert.is(
        await told('autoscale', 'deploy/web', '--max=5', '--cpu-percent=80'),
        'horizontalpodautoscaler.autoscaling/web autoscaled\n',
      )
      const target = 'jsonpath={.spec.scaleTargetRef.kind} {.spec.maxReplicas} {.spec.targetCPUUtilizationPercentage}'
      assert.is(await told('get', 'hpa.v1.autoscaling', 'web', '-o', target), 'Deployment 5 80')
      assert.is(await told('expose', 'deploy/web'), 'service/web exposed\n')
      const ports = 'jsonpath={.spec.selector.app} {.spec.ports[*].port} {.spec.ports[*].targetPort}'
      assert.is(await told('get', 'svc/web', '-o', ports), 'web 80 80')
      assert.match((await run('events', '--for', 'deploy/web')).out, /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/)
      assert.match(
        (await run('events', '--for', 'deploy/web')).out,
        /Normal +ScalingReplicaSet +Deployment\/web +Scaled/,
      )
      assert.match(await told('events', '--types=Warning', '-n', 'nowhere'), 'No events found in nowhere namespace.')
    }, profile),
  )

workloads('undoes and restarts stateful sets and daemon sets by their revisions', () =>
  withCluster(async ({ run, runWith }) => {
    const labels = { app: 'db' }
    const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }] } })
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' } }
    const spec = { serviceName: 'db', selector: { matchLabels: labels }, template: template('v1') }
    const daemons = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent' } }
    const daemonSpec = { selector: { matchLabels: labels }, template: template('v1') }
    await runWith(JSON.stringify({ ...set, spec }), 'create', '-f', '-')
    await runWith(JSON.stringify({ ...daemons, spec: daemonSpec }), 'create', '-f', '-')
    for (const [name, done] of [
      ['sts/db', 'partitioned roll out complete: 1 new pods have been updated...\n'],
      ['ds/agent', 'daemon set "agent" successfully rolled out\n'],
    ] as const) {
      const status = () => run('rollout', 'status', name, '--timeout=60s')
      assert.ok((await status()).out.endsWith(done))
      await run('set', 'image', name, 'c=v2')
      assert.ok((await status()).out.endsWith(done))
      assert.match((await run('rollout', 'history', name)).out, /\n1 +<none>\n2 +<none>\n/)
      assert.match((await run('rollout', 'undo', name, '--to-revision=1')).out, / rolled back\n$/)
      const image = await run('get', name, '-o', 'jsonpath={.spec.template.spec.containers[0].image}')
      assert.is(image.out, 'v1')
      assert.match((await run('rollout', 'restart', name)).out, / restarted\n$/)
      assert.match((await run('rollout', 'pause', name)).error, 'pausing is not supported')
    }
  }),
)

const rbac = (kind: string, name: string) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name } })
const container = (name: string, image: string, command: string[]) => ({ name, image, command })
const prefix = { path: '/shop', pathType: 'Prefix', backend: { service: { name: 'shop', port: { number: 80 } } } }
const exact = { path: '/a', pathType: 'Exact', backend: { service: { name: 'b', port: { name: 'http' } } } }
const apiGroup = 'rbac.authorization.k8s.io'

/** Command lines, and the objects that kubectl creates for them. */
const made: Readonly<Record<string, object>> = {
  'create deployment two --image=nginx,docker.io/library/redis:7@sha256:1 -r 2': {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { labels: { app: 'two' }, name: 'two' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'two' } },
      template: {
        metadata: { labels: { app: 'two' } },
        spec: {
          containers: [
            { image: 'nginx', name: 'nginx' },
            { image: 'docker.io/library/redis:7@sha256:1', name: 'redis' },
          ],
        },
      },
    },
  },
  'create job once --image=busybox -- date -u': {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once' },
    spec: {
      template: { spec: { containers: [container('once', 'busybox', ['date', '-u'])], restartPolicy: 'Never' } },
    },
  },
  'create cronjob tick --image=busybox --schedule=@hourly -- date': {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: {
      jobTemplate: {
        metadata: { name: 'tick' },
        spec: {
          template: { spec: { containers: [container('tick', 'busybox', ['date'])], restartPolicy: 'OnFailure' } },
        },
      },
      schedule: '@hourly',
    },
  },
  'create ingress i --rule=a.test/shop*=shop:80 --rule=a.test/a=b:http,tls=cert --class=n --annotation=a=b': {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { annotations: { a: 'b' }, name: 'i' },
    spec: {
      ingressClassName: 'n',
      rules: [{ host: 'a.test', http: { paths: [prefix, exact] } }],
      tls: [{ hosts: ['a.test'], secretName: 'cert' }],
    },
  },
  'create role r --verb=get,list --resource=po,deploy,pods/log --resource-name=a': {
    ...rbac('Role', 'r'),
    rules: [
      { apiGroups: [''], resources: ['pods', 'pods/log'], resourceNames: ['a'], verbs: ['get', 'list'] },
      { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: ['get', 'list'] },
    ],
  },
  'create clusterrole c --verb=get --resource=nodes --non-resource-url=/healthz': {
    ...rbac('ClusterRole', 'c'),
    rules: [
      { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
      { nonResourceURLs: ['/healthz'], verbs: ['get'] },
    ],
  },
  'create clusterrole all --aggregation-rule=part=all': {
    ...rbac('ClusterRole', 'all'),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'all' } }] },
  },
  'create rolebinding b --role=r --user=jane --group=g --serviceaccount=n:s': {
    ...rbac('RoleBinding', 'b'),
    roleRef: { apiGroup, kind: 'Role', name: 'r' },
    subjects: [
      { apiGroup, kind: 'User', name: 'jane' },
      { apiGroup, kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ],
  },
  'create clusterrolebinding b --clusterrole=view --user=jane': {
    ...rbac('ClusterRoleBinding', 'b'),
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup, kind: 'User', name: 'jane' }],
  },
  'create quota q --hard=pods=10,cpu=1 --scopes=Terminating': {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: { hard: { cpu: '1', pods: '10' }, scopes: ['Terminating'] },
  },
  'create pdb p --selector=app=web --min-available=50%': {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'p' },
    spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } },
  },
  'create priorityclass high --value=1000 --description=much --preemption-policy=Never': {
    apiVersion: 'scheduling.k8s.io/v1',
    description: 'much',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    preemptionPolicy: 'Never',
    value: 1000,
  },
}
/** Invalid command lines, and their errors. */
const refused: Readonly<Record<string, RegExp>> = {
  'create deployment a': /--image is required/,
  'create deployment a --image=a --image=b -- c': /a command is for one image/,
  'create job a --from=deploy/web': /--from needs cronjob\/NAME/,
  'create cronjob a --image=b': /--schedule is required/,
  'create ingress a --rule=nonsense': /--rule needs HOST\/PATH=SERVICE:PORT/,
  'create role a --resource=pods': /--verb is required/,
  'create role a --verb=get --resource=gizmos': /no type "gizmos"/,
  'create rolebinding a --user=b': /give one of --clusterrole and --role/,
  'create pdb a --selector=a=b': /give one of --min-available and --max-unavailable/,
  'create priorityclass a --value=much': /--value must be a number/,
  'autoscale deploy/web --min=1': /--max is required/,
  'rollout restart deploy/web extra/more/words': /is not TYPE\/NAME/,
}

workloads('creates the same objects as kubectl, which the server accepts', () =>
  withCluster(async ({ run }) => {
    for (const [line, object] of Object.entries(made)) {
      const [before = '', after] = line.split(' -- ')
      const trailing = after === undefined ? [] : ['--', ...after.split(' ')]
      const local = await run(...before.split(' '), '--dry-run=client', '-o', 'json', ...trailing)
      assert.is(local.error, '')
      assert.equal(JSON.parse(local.out), object, line)
      const taken = await run(...before.split(' '), '--dry-run=server', ...trailing)
      assert.match(taken.out + taken.error, / created \(server dry run\)\n$/)
    }
    for (const [line, said] of Object.entries(refused)) {
      const [before = '', after] = line.split(' -- ')
      const { code, error } = await run(...before.split(' '), ...(after === undefined ? [] : ['--', after]))
      assert.equal([code, said.test(error)], [2, true], `${line}: ${error}`)
    }
    await run('create', 'cronjob', 'tick', '--image=busybox', '--schedule=@hourly', '--', 'date')
    assert.is((await run('create', 'job', 'now', '--from=cronjob/tick')).out, 'job.batch/now created\n')
    const { metadata, spec } = JSON.parse((await run('get', 'job/now', '-o', 'json')).out)
    assert.equal(metadata.annotations['cronjob.kubernetes.io/instantiate'], 'manual')
    assert.equal([metadata.ownerReferences[0].name, metadata.ownerReferences[0].controller], ['tick', true])
    assert.equal(spec.template.spec.containers[0].command, ['date'])
    assert.is((await run('wait', 'job/now', '--for=condition=complete', '--timeout=60s')).code, 0)
  }, kubernetesProfile),
)

workloads.run()
