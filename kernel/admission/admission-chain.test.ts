import {
  type AdmissionDefinition,
  type AdmissionRequest,
  ApiError,
  defineAdmission,
  type Metrics,
  reinvoke,
  reject,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RootContainer } from '../container/root-container.js'
import { AdmissionChain } from './admission-chain.js'

/** A chain of these controls, and its metrics. */
function chainOf(...definitions: AdmissionDefinition[]) {
  const steps: string[] = []
  const counted: Record<string, number> = {}
  const count =
    (name: string) =>
    (labels: Record<string, string> = {}) => {
      const key = `${name} ${labels['name']} ${labels['type']} ${labels['operation']}`
      counted[key] = (counted[key] ?? 0) + 1
    }
  const metrics = {
    histogram: (name: string) => ({
      observe: (_: number, labels: Record<string, string>) =>
        name.includes('_step_') ? void steps.push(Object.values(labels).join(' ')) : count('ran')(labels),
    }),
    counter: () => ({ inc: count('rejected') }),
    gauge: () => ({ set() {} }),
  } as Metrics
  const contributions = definitions.map(definition => ({ plugin: 'acme', definition }))
  return { counted, steps, chain: new AdmissionChain(contributions, new RootContainer(), metrics) }
}
const control = (name: string, parts: Partial<AdmissionDefinition>) =>
  defineAdmission()({ name, phase: 'mutate', sideEffects: 'none', review: () => {}, ...parts })
const aRequest = (): AdmissionRequest =>
  ({
    operation: 'create',
    group: 'acme.test',
    resource: 'widgets',
    subresource: '',
    name: 'x',
    object: { metadata: {} },
    reinvoked: false,
  }) as unknown as AdmissionRequest
const find = (chain: AdmissionChain) => chain.for('acme.test', 'widgets', '', 'create')
async function failure(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work
  } catch (error) {
    assert.instance(error, ApiError)
    return error as ApiError
  }
  throw new Error('expected a rejection')
}

const admission = suite('admission chain')

admission('a control that names a field is called only where it is set', async () => {
  const path = ['metadata', 'ownerReferences']
  const { chain, counted } = chainOf(control('Owners', { whenSet: path, sideEffects: 'some' }), control('All', {}))
  for (const isSet of [() => false, (asked: readonly string[]) => asked === path])
    await chain.mutate(find(chain), Object.assign(aRequest(), { isSet }))
  assert.equal(counted, { 'ran Owners admit CREATE': 1, 'ran All admit CREATE': 2 })
})

admission('runs every mutating control once if none requests reinvocation', async () => {
  const seen: string[] = []
  const { chain } = chainOf(
    control('A', { review: () => void seen.push('A') }),
    control('B', { review: async () => void seen.push('B') }),
  )
  await chain.mutate(find(chain), aRequest())
  assert.equal(seen, ['A', 'B'])
})

admission('runs all of them a second time if one requests it, and no third time', async () => {
  const seen: string[] = []
  const { chain } = chainOf(
    control('A', { review: ({ reinvoked }) => void seen.push(`A ${reinvoked}`) }),
    control('Webhook', {
      review: async ({ reinvoked }) => {
        seen.push(`Webhook ${reinvoked}`)
        return reinvoke
      },
    }),
  )
  await chain.mutate(find(chain), aRequest())
  assert.equal(seen, ['A false', 'Webhook false', 'A true', 'Webhook true'])
})

admission('passes the same request to both runs, so that a control can recognize it', async () => {
  const requests = new Set<AdmissionRequest>()
  const { chain } = chainOf(
    control('Webhook', {
      review: request => {
        requests.add(request)
        return reinvoke
      },
    }),
  )
  await chain.mutate(find(chain), aRequest())
  assert.is(requests.size, 1)
})

admission('does not treat a request for reinvocation as a rejection', async () => {
  const { chain, counted } = chainOf(control('Webhook', { review: () => reinvoke }))
  await chain.mutate(find(chain), aRequest())
  assert.equal(counted, { 'ran Webhook admit CREATE': 2 })
})

for (const [title, review] of Object.entries<AdmissionDefinition['review']>({
  'at once': () => reject('no'),
  later: async () => reject('no'),
}))
  admission(`a rejection ${title} is a 403 that names the object, is counted once, and ends the chain`, async () => {
    const seen: string[] = []
    const { chain, counted, steps } = chainOf(
      control('No', { review, phase: 'validate' }),
      control('Later', { phase: 'validate', review: () => void seen.push('Later') }),
    )
    const error = await failure(chain.validate(find(chain), aRequest()))
    assert.equal([error.code, error.reason, error.details?.name], [403, 'Forbidden', 'x'])
    assert.equal(counted, { 'ran No validate CREATE': 1, 'rejected No validate CREATE': 1 })
    await chain.mutate(find(chain), aRequest())
    assert.equal(steps, ['validate CREATE true', 'admit CREATE false'])
    assert.equal(seen, [])
  })

admission('names the object in a rejection by its generateName if it has no name yet', async () => {
  const { chain } = chainOf(control('No', { review: () => reject('no') }))
  const nameFor = async (metadata: object) => {
    const request = { ...aRequest(), name: '', object: { metadata } } as unknown as AdmissionRequest
    return (await failure(chain.mutate(find(chain), request))).details?.name
  }
  assert.equal([await nameFor({ generateName: 'x-' }), await nameFor({})], ['x-', 'Unknown'])
})

admission('rethrows an ApiError unchanged, and names the control that throws anything else', async () => {
  const thrower = (thrown: unknown) =>
    chainOf(
      control('Broken', {
        review: () => {
          throw thrown
        },
      }),
    )
  const teapot = thrower(new ApiError(418, 'Teapot', 'short and stout'))
  assert.is((await failure(teapot.chain.mutate(find(teapot.chain), aRequest()))).code, 418)
  assert.equal(teapot.counted, { 'ran Broken admit CREATE': 1, 'rejected Broken admit CREATE': 1 })
  const broken = thrower(new Error('secret'))
  const error = await failure(broken.chain.mutate(find(broken.chain), aRequest()))
  assert.is(error.code, 500)
  assert.match(error.message, /"Broken" failed/)
  assert.not.match(error.message, /secret/)
})

admission('calls a control only for requests that it matches', () => {
  const { chain } = chainOf(
    control('Everything', { phase: 'both' }),
    control('Status', { matches: { resource: 'widgets', subresource: 'status', operations: ['update'] } }),
    control('Others', { matches: [{ group: 'other.test' }, { resource: ['gadgets', 'widgets'] }] }),
  )
  const names = (subresource: string, operation: 'create' | 'update') =>
    chain.for('acme.test', 'widgets', subresource, operation).mutating.map(({ definition }) => definition.name)
  assert.equal(names('', 'create'), ['Everything', 'Others'])
  assert.equal(names('status', 'create'), ['Everything'])
  assert.equal(names('status', 'update'), ['Everything', 'Status'])
  assert.equal(find(chain).validating.length, 1)
})

admission.run()
