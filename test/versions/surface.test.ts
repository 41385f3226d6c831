import { ServedLevel, type VersionName } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  differences,
  recordedDiscovery,
  recordedFields,
  recordedResources,
  servedDiscovery,
  servedFields,
  servedResources,
} from './surface.js'

/**
 * Every minor version serves the types, verbs and fields that the facts say it has: nothing missing, nothing surplus. The
 * servers listen one after the other, without loops and on the store in memory, with everything on that is off by default.
 */
const minors = Array.from({ length: 14 }, (_, i): VersionName => `1.${23 + i}`)
const recordedMinors: readonly VersionName[] = ['1.25', '1.27', '1.30', '1.33', '1.36']

/** The facts about the types of 1.23 leave out what that version serves without documents of its own. */
const unrecordedFields = /^(node\.v1beta1|policy\.v1)\./
const isRecorded = (version: VersionName) => (line: string) => version !== '1.23' || !unrecordedFields.test(line)

/** What was not complete when this list was written. Lines are only ever removed from it. */
const unfinished: readonly RegExp[] = [
  /^resource\.(k8s\.io\/)?v1alpha[12]/,
  /^resource\.(k8s\.io\/)?v1alpha3( podscheduling|\.(PodScheduling|ResourceClaimScheduling))/,
]
const isUnfinished = (line: string) => unfinished.some(form => form.test(line))
const withoutUnfinished = ({ missing, surplus }: { missing: string[]; surplus: string[] }) => ({
  missing: missing.filter(line => !isUnfinished(line)),
  surplus: surplus.filter(line => !isUnfinished(line)),
})

const surface = suite('the served surface')
const everything = { runtimeConfig: { 'api/all': 'true' }, featureGates: { AllAlpha: 'true', AllBeta: 'true' } }

async function atVersion(version: VersionName, options: object, look: (server: TestServer) => Promise<void>) {
  const server = await startServer({
    vendor: 'kubernetes',
    kubernetesVersion: version,
    options: { controllers: ['-*'], ...options },
  })
  try {
    await look(server)
  } finally {
    await server.stop()
  }
}

for (const version of minors)
  surface(`${version} has the types and fields of the facts`, () =>
    atVersion(version, everything, async server => {
      const resources = differences(recordedResources(version), await servedResources(server))
      const served = (await servedFields(server)).filter(isRecorded(version))
      const fields = differences(recordedFields(version), served)
      assert.equal(withoutUnfinished(resources), { missing: [], surplus: [] })
      assert.equal(withoutUnfinished(fields), { missing: [], surplus: [] })
    }),
  )

for (const version of recordedMinors)
  surface(`${version} serves by default what a real server of that version lists in discovery`, () =>
    atVersion(version, {}, async server => {
      const found = differences(recordedDiscovery(version), await servedDiscovery(server))
      assert.equal(withoutUnfinished(found), { missing: [], surplus: [] })
    }),
  )

surface('a field that is missing and one that is surplus are found', () => {
  const recorded = recordedFields('1.36')
  const withoutOne = recorded.filter(line => line !== 'core.v1.NodeStatus.declaredFeatures')
  assert.is(withoutOne.length, recorded.length - 1)
  assert.equal(withoutUnfinished(differences(recorded, withoutOne)), {
    missing: ['core.v1.NodeStatus.declaredFeatures'],
    surplus: [],
  })
  assert.equal(withoutUnfinished(differences(recorded, [...recorded, 'core.v1.NodeStatus.mood'])), {
    missing: [],
    surplus: ['core.v1.NodeStatus.mood'],
  })
})

surface('a field is not in the facts of versions before it was added', () => {
  const at = (version: VersionName) => recordedFields(version).includes('core.v1.NodeStatus.declaredFeatures')
  assert.equal([at('1.34'), at('1.35')], [false, true])
  assert.ok(new ServedLevel('1.35').includes({ since: '1.35' }))
})

surface.run()
