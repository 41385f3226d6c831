import { writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { startWorld } from '../webhooks/start-world.js'
import type { Answer, WebhookWorld } from '../webhooks/webhook-world.js'

const connecting = suite('paths to Pods and nodes')
let world: WebhookWorld
const inTown = '/api/v1/namespaces/town'
const container = (name: string) => ({ name, image: 'i' })
const pod = (name: string, containers: string[], more: object = {}) =>
  world.mustSend('POST', `${inTown}/pods`, {
    metadata: { name },
    spec: { containers: containers.map(container), automountServiceAccountToken: false, ...more },
  })
const messageOf = ({ status, body }: Answer) => `${status} ${body.reason ?? ''}: ${body.message ?? body}`
const ask = async (method: string, path: string) => messageOf(await world.send(method, path))

connecting('the objects are created', async () => {
  world = await startWorld()
  await world.namespace('town')
  await pod('placed', ['c'], { nodeName: 'n1' })
  await pod('pair', ['a', 'b'], { nodeName: 'n1', initContainers: [container('first')] })
  await pod('unplaced', ['c'])
  const addressed = { status: { podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] } }
  await world.send('PATCH', `${inTown}/pods/placed/status`, addressed, 'application/merge-patch+json')
  await world.mustSend('POST', '/api/v1/nodes', { metadata: { name: 'n1' } })
  const ports = [{ name: 'web', port: 80 }]
  await world.mustSend('POST', `${inTown}/services`, { metadata: { name: 'web' }, spec: { ports } })
  await world.mustSend('POST', `${inTown}/services`, { metadata: { name: 'empty' }, spec: { ports } })
  const subsets = [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ name: 'web', port: 8080 }] }]
  await world.mustSend('POST', `${inTown}/endpoints`, { metadata: { name: 'web' }, subsets })
})

const unreachableNode = '500 InternalError: error dialing backend: node "n1" cannot be reached'
for (const sub of ['exec?command=ls', 'attach?stdout=true', 'portforward?ports=80']) {
  connecting(`${sub} gets as far as the node of the Pod`, async () => {
    const of = (name: string) => `${inTown}/pods/${name}/${sub}`
    for (const method of ['GET', 'POST']) {
      assert.ok((await ask(method, of('placed'))).startsWith(unreachableNode), await ask(method, of('placed')))
      assert.is(await ask(method, of('missing')), '404 NotFound: pods "missing" not found')
      assert.is(await ask(method, of('unplaced')), '400 BadRequest: pod unplaced does not have a host assigned')
    }
    assert.match(await ask('PUT', of('placed')), /^405 MethodNotAllowed/)
    assert.match(
      await ask('GET', `${inTown}/pods/placed/${sub.split('?')[0]}/deeper`),
      /^404 NotFound: the server could/,
    )
  })
}
connecting('a container that is not named, or missing, is a 400', async () => {
  for (const sub of ['exec', 'attach', 'log']) {
    const path = `${inTown}/pods/pair/${sub}`
    const choice = 'choose one of: [a b] or one of the init containers: [first]'
    assert.is(await ask('GET', path), `400 BadRequest: a container name must be specified for pod pair, ${choice}`)
    assert.is(await ask('GET', `${path}?container=x`), '400 BadRequest: container x is not valid for pod pair')
    assert.ok((await ask('GET', `${path}?container=first`)).startsWith(unreachableNode))
  }
})
connecting('parameters of a wrong type are a 400', async () => {
  const answer = await ask('POST', `${inTown}/pods/placed/portforward?ports=80&ports=http`)
  assert.is(answer, '400 BadRequest: the parameter ports is "http": it must be an integer of type int32')
})
connecting('the log of a Pod is read-only, and empty before it is scheduled', async () => {
  const path = `${inTown}/pods/placed/log`
  assert.ok((await ask('GET', `${path}?follow=true`)).startsWith(unreachableNode))
  assert.is((await world.send('GET', `${inTown}/pods/unplaced/log`)).status, 204)
  assert.is(await ask('GET', `${inTown}/pods/missing/log`), '404 NotFound: pods "missing" not found')
  assert.match(await ask('POST', path), /^405/)
  const wrong = await ask('GET', `${path}?tailLines=-1&limitBytes=0&sinceSeconds=0`)
  assert.match(wrong, /^422 Invalid: PodLogOptions "placed" is invalid: .*tailLines.*limitBytes.*sinceSeconds/)
})

connecting('proxies accept any method and any path', async () => {
  const reach = (what: string) => `503 ServiceUnavailable: error trying to reach service: ${what} cannot be reached`
  const targets = {
    [`${inTown}/pods/placed/proxy`]: 'pod "placed" at 10.1.2.3',
    [`${inTown}/pods/http:placed:8080/proxy`]: 'pod "placed" at 10.1.2.3 port 8080',
    [`${inTown}/services/web:web/proxy`]: 'service "web"',
    [`${inTown}/services/https:web:80/proxy`]: 'service "web"',
    '/api/v1/nodes/n1/proxy': 'node "n1"',
    '/api/v1/nodes/n1:10250/proxy': 'node "n1"',
  }
  for (const [path, what] of Object.entries(targets)) {
    for (const behind of ['', '/', '/a/b//c/d/e/f/g/', '/a%2Fb?x=y&watch=true']) {
      const answer = await ask('GET', path + behind)
      assert.ok(answer.startsWith(reach(what)), `${path}${behind}: ${answer}`)
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) assert.match(await ask(method, `${path}/x`), /^503/)
    assert.is((await world.send('HEAD', `${path}/x`)).status, 503)
  }
})
connecting('nothing can be tried without its effects', async () => {
  for (const [method, path] of [
    ['POST', `${inTown}/pods/placed/exec?command=ls&dryRun=All`],
    ['DELETE', `${inTown}/services/web:web/proxy/x?dryRun=All`],
  ] as const)
    assert.is(await ask(method, path), '400 BadRequest: dryRun is not supported')
  assert.ok((await ask('GET', `${inTown}/pods/placed/log?dryRun=All`)).startsWith(unreachableNode))
})
connecting('proxies report invalid and missing targets', async () => {
  const answers = {
    [`${inTown}/pods/unplaced/proxy`]: '400 BadRequest: address not allowed',
    [`${inTown}/pods/missing/proxy/x`]: '404 NotFound: pods "missing" not found',
    [`${inTown}/services/a:b:c:d/proxy`]: '400 BadRequest: invalid service request "a:b:c:d"',
    [`${inTown}/services/web:81/proxy`]: '503 ServiceUnavailable: no service port 81 found for service "web"',
    [`${inTown}/services/empty/proxy`]: '404 NotFound: endpoints "empty" not found',
    [`${inTown}/services/web/proxy`]: '503 ServiceUnavailable: no endpoints available for service "web"',
    '/api/v1/nodes/missing/proxy': '404 NotFound: nodes "missing" not found',
    [`${inTown}/pods/placed%2Fx/proxy/y`]: '404 NotFound: the server could not find the requested resource',
    [`${inTown}/configmaps/x/proxy/y`]: '404 NotFound: the server could not find the requested resource',
  }
  for (const [path, expected] of Object.entries(answers)) assert.is(await ask('GET', path), expected, path)
})

connecting('an upgrade request gets the same Status', async () => {
  for (const [protocol, method] of [
    ['SPDY/3.1', 'POST'],
    ['websocket', 'GET'],
  ]) {
    const text = await new Promise<string>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${world.server.token}`,
        connection: 'Upgrade',
        upgrade: protocol,
        'x-stream-protocol-version': 'v4.channel.k8s.io',
      }
      const url = `${world.server.baseUrl}${inTown}/pods/placed/exec?command=ls&stdout=1`
      const sent = httpRequest(url, { method: method!, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks).toString()))
      })
      sent.on('error', reject).end()
    })
    assert.match(JSON.parse(text).message, /node "n1" cannot be reached/)
  }
})

connecting('webhooks review CONNECT with the options, before the object is looked up', async () => {
  const rules = [
    { operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/*', 'services/*', 'nodes/*'] },
  ]
  await world.configure('Validating', 'a', [world.hook('town', 'a', { rules, namespaceSelector: {} })])
  await world.webhook.behave('/town/a', { is: 'answer', response: { allowed: true } })
  await world.send('POST', `${inTown}/pods/missing/exec?command=sh&command=-c&stdin=true&tty=0`)
  await world.send('GET', `${inTown}/services/https:web:80/proxy/a/b/`)
  await world.send('DELETE', '/api/v1/nodes/n1/proxy')
  await world.send('GET', `${inTown}/pods/placed/log`)
  const reviews = (await world.webhook.takeCalls('/town/a')).map(({ review: { request } }) => request)
  assert.equal(
    reviews.map(({ operation, subResource, name, object }) => ({ operation, subResource, name, object })),
    [
      {
        operation: 'CONNECT',
        subResource: 'exec',
        name: 'missing',
        object: { kind: 'PodExecOptions', apiVersion: 'v1', stdin: true, command: ['sh', '-c'] },
      },
      {
        operation: 'CONNECT',
        subResource: 'proxy',
        name: 'https:web:80',
        object: { kind: 'ServiceProxyOptions', apiVersion: 'v1', path: '/a/b/' },
      },
      {
        operation: 'CONNECT',
        subResource: 'proxy',
        name: 'n1',
        object: { kind: 'NodeProxyOptions', apiVersion: 'v1' },
      },
    ] as never,
  )
  assert.equal([reviews[0]?.oldObject, reviews[0]?.['options']], [null, null])
  assert.equal(reviews[0]?.['kind'], { group: '', version: 'v1', kind: 'PodExecOptions' })
  await world.webhook.behave('/town/a', { is: 'answer', response: { allowed: false, status: { message: 'never' } } })
  assert.match(await ask('POST', `${inTown}/pods/placed/exec`), /denied the request: never$/)
  await world.removeConfiguration('Validating', 'a')
})

connecting('discovery lists them as the reference does', async () => {
  const { body } = await world.send('GET', '/api/v1')
  const found = (body.resources as { name: string; kind: string; verbs: string[]; namespaced: boolean }[])
    .filter(({ name }) => /\/(exec|attach|portforward|log|proxy)$/.test(name))
    .map(({ name, kind, verbs, namespaced }) => `${name} ${kind} ${verbs.join()} ${namespaced}`)
  const all = 'create,delete,get,patch,update'
  assert.equal(found, [
    `nodes/proxy NodeProxyOptions ${all} false`,
    'pods/attach PodAttachOptions create,get true',
    'pods/exec PodExecOptions create,get true',
    'pods/log Pod get true',
    'pods/portforward PodPortForwardOptions create,get true',
    `pods/proxy PodProxyOptions ${all} true`,
    `services/proxy ServiceProxyOptions ${all} true`,
  ])
  const { paths } = (await world.send('GET', '/openapi/v2')).body
  const exec = paths['/api/v1/namespaces/{namespace}/pods/{name}/exec']
  assert.is(exec.post.operationId, 'connectCoreV1PostNamespacedPodExec')
  const proxied = paths['/api/v1/nodes/{name}/proxy/{path}']
  assert.is(proxied.put.operationId, 'connectCoreV1PutNodeProxyWithPath')
})

/** Rules that grant only some of the connections. */
const rules = [
  { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] },
  { apiGroups: [''], resources: ['pods/log', 'services/proxy'], verbs: ['get'] },
]
for (const vendor of ['orch', 'kubernetes']) {
  connecting(`each needs the permission of its own name and verb (${vendor})`, async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'tokens.csv')
    writeFileSync(file, 'root,root,1,"system:masters"\nalice,alice,2\n')
    const server = await startOrch({ flags: ['--vendor', vendor, '--tls=false', '--token-auth-file', file] })
    try {
      const send = async (token: string, method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const sent = body ? { method, headers, body: JSON.stringify(body) } : { method, headers }
        const { status, ...answer } = await fetch(server.url + path, sent).then(async got => ({
          status: got.status,
          text: await got.text(),
        }))
        return { status, message: answer.text.startsWith('{') ? JSON.parse(answer.text).message : answer.text }
      }
      const apiGroup = vendor === 'orch' ? 'rbac.authorization.orch.io' : 'rbac.authorization.k8s.io'
      const below = `/apis/${apiGroup}/v1/namespaces/default`
      await send('root', 'POST', `${below}/roles`, { metadata: { name: 'opens' }, rules })
      const { status } = await send('root', 'POST', `${below}/rolebindings`, {
        metadata: { name: 'opens' },
        roleRef: { apiGroup, kind: 'Role', name: 'opens' },
        subjects: [{ apiGroup, kind: 'User', name: 'alice' }],
      })
      assert.is(status, 201)
      const answerOf = (method: string, path: string) =>
        send('alice', method, `/api/v1/namespaces/default/${path}`).then(({ status }) => status)
      // An authorized user gets 404 for the missing object, others 403.
      assert.is(await answerOf('POST', 'pods/p/exec?command=ls'), 404)
      assert.is(await answerOf('GET', 'pods/p/log'), 404)
      assert.is(await answerOf('GET', 'services/s/proxy/a/b'), 404)
      for (const path of ['pods/p/exec', 'pods/p/attach', 'pods/p/portforward', 'pods/p/proxy/x'])
        assert.is(await answerOf('GET', path), 403, path)
      assert.is(await answerOf('DELETE', 'services/s/proxy/a/b'), 403)
      const { message } = await send('alice', 'GET', '/api/v1/nodes/n/proxy/metrics')
      assert.match(message, 'User "alice" cannot get resource "nodes/proxy" in API group "" at the cluster scope')
      assert.is(
        (await fetch(`${server.url}/api/v1/nodes/n/proxy`, { headers: { authorization: 'Bearer x' } })).status,
        401,
      )
    } finally {
      await server.stop()
      folder.remove()
    }
  })
}
connecting('the server stops', () => world.stop())

connecting.run()
