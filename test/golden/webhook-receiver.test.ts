import { dirname } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { convert } from './conversion-review.js'
import { project } from './projections.js'
import { ScenarioClient } from './scenario-client.js'
import { credentialsFile } from './server-flags.js'
import { WebhookReceiver } from './webhook-receiver.js'

const receiving = suite('the receiver of recorded conversations')
const review = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: {
    uid: 'u',
    desiredAPIVersion: 'g/v2',
    objects: [{ apiVersion: 'g/v1', spec: { a: 1 } }, { apiVersion: 'g/v1' }],
  },
}

receiving('moves and sets the fields of converted objects', () => {
  const answer = convert(review, { moves: { v2: [['spec.a', 'spec.deep.b']] }, set: { 'metadata.x': 'y' } })
  assert.equal(answer, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid: 'u',
      convertedObjects: [
        { apiVersion: 'g/v2', spec: { deep: { b: 1 } }, metadata: { x: 'y' } },
        { apiVersion: 'g/v2', metadata: { x: 'y' } },
      ],
      result: { status: 'Success' },
    },
  })
})

receiving('breaks a conversion as the scenario specifies', () => {
  const broken = {
    drop: 1,
    version: 'g/v9',
    uid: 'other',
    kind: 'Other',
    reviewVersion: 'x/v1',
    result: { status: 'Failure' },
  }
  assert.equal(convert(review, broken), {
    apiVersion: 'x/v1',
    kind: 'Other',
    response: {
      uid: 'other',
      convertedObjects: [{ apiVersion: 'g/v9', spec: { a: 1 } }],
      result: { status: 'Failure' },
    },
  })
})

receiving('responds as an extension server and records the calls of the replayer', async () => {
  const receiver = await WebhookReceiver.start(dirname(credentialsFile), '127.0.0.1', 0)
  const client = new ScenarioClient(receiver.url, credentialsFile)
  try {
    const routes = { 'GET /apis/g.example/v1': { body: { kind: 'APIResourceList' } } }
    const extension = { routes, calls: [] as unknown[] }
    receiver.extensions.set('g.example', extension)
    const headers = { 'x-remote-user': 'alice', authorization: null, 'x-other': 'z' }
    const known = await client.send({ path: '/apis/g.example/v1?b=2&a=1', headers }, {})
    assert.equal(JSON.parse(known.bytes.toString()), { kind: 'APIResourceList' })
    assert.is(
      (await client.send({ path: '/apis/g.example/v1/none', headers: { 'user-agent': 'prober' } }, {})).status,
      404,
    )
    assert.equal(extension.calls, [
      {
        method: 'GET',
        path: '/apis/g.example/v1',
        query: ['a=1', 'b=2'],
        headers: { accept: 'application/json', 'x-remote-user': 'alice' },
        body: null,
      },
    ])
  } finally {
    client.close()
    receiver.stop()
  }
})

receiving('compares conditions by type, children in any order, and which paths exist', () => {
  const now = '2020-01-01T00:00:00Z'
  const object = { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'R', lastTransitionTime: now }] } }
  assert.equal(project(object, { conditions: ['Ready', 'Other'] }), {
    conditions: { Ready: { status: 'True', reason: 'R', message: false, lastTransitionTime: true }, Other: null },
  })
  const list = { kind: 'L', items: [{ metadata: { name: 'b' }, spec: { x: 1 } }, { metadata: { name: 'a' } }] }
  assert.equal(project(list, { children: ['metadata.name'] }), {
    kind: 'L',
    items: [{ 'metadata.name': 'a' }, { 'metadata.name': 'b' }],
  })
  assert.equal(project(object, { exists: ['status', 'spec'] }), { status: true, spec: false })
})

receiving.run()
