import { kubernetesProfile, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { FakeApi, fakeClock } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { flowControlNames } from '../names.js'
import { readAutoUpdate } from './auto-update.js'
import { removeFormer } from './remove-former.js'

const names = flowControlNames(new Vendor(kubernetesProfile))
const collection = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas'
const former = suite('objects that were built in')

/** What is left of an object with this annotation, right after its creation and a minute later. */
async function leftOf(text: string | undefined): Promise<boolean[]> {
  const api = new FakeApi()
  const clock = fakeClock()
  const annotations: Record<string, string> = text === undefined ? {} : { 'apf.kubernetes.io/autoupdate-spec': text }
  const creationTimestamp = new Date(clock.now()).toISOString()
  const object = api.put(collection, { metadata: { name: 'old', annotations, creationTimestamp } })
  const parts = { client: createClient({ transport: api.transport }), clock }
  const isLeft: boolean[] = []
  for (const waitMs of [0, 60_000]) {
    await clock.advance(waitMs)
    await removeFormer(parts, names, names.flowSchemas, object)
    isLeft.push(api.get(`${collection}/old`) !== undefined)
  }
  return isLeft
}

former('are removed after a minute, if the server maintained them', async () => {
  for (const text of ['true', '1', 'T']) assert.equal(await leftOf(text), [true, false], text)
  for (const text of ['false', 'yes', '', undefined]) assert.equal(await leftOf(text), [true, true], text)
})
former('an annotation that is neither yes nor no says nothing', () => {
  const read = (text: string) => readAutoUpdate({ annotations: { a: text } }, 'a')
  assert.equal(['true', 'f', 'perhaps', ''].map(read), [true, false, undefined, undefined])
})
former.run()
