import type { ApiError, ApiObject } from 'orch/sdk'
import type { WebhookPosts } from 'orch/sdk/admission'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { convertByWebhook } from './convert-by-webhook.js'

interface Review {
  apiVersion: string
  request: { uid: string; desiredAPIVersion: string; objects: ApiObject[] }
}
const subject = { group: 'example.com', kind: 'Widget', reviewGroup: 'apiextensions.test' }
const webhook = { clientConfig: { url: 'https://127.0.0.1/' }, conversionReviewVersions: ['v9', 'v1beta1'] }
const widget = (name: string): ApiObject => ({
  metadata: { name, uid: name, generation: 3, labels: { old: 'x' } },
  spec: { size: name },
})

/** Responds as a working webhook, with the response changed by `spoil`. */
function converter(
  spoil: (answer: ReturnType<typeof answerOf>, review: Review) => unknown = answer => answer,
  conversionReviewVersions = webhook.conversionReviewVersions,
) {
  const reviews: Review[] = []
  const posts: WebhookPosts = {
    post: async (_, body) => {
      const review = JSON.parse(body) as Review
      reviews.push(review)
      return JSON.stringify(spoil(answerOf(review), review))
    },
  }
  return {
    convert: convertByWebhook(
      { strategy: 'Webhook', webhook: { ...webhook, conversionReviewVersions } },
      subject,
      posts,
    ),
    reviews,
  }
}
const answerOf = ({ apiVersion, request }: Review) => ({
  kind: 'ConversionReview',
  apiVersion,
  response: {
    uid: request.uid,
    result: { status: 'Success' },
    convertedObjects: request.objects.map(object => ({
      ...object,
      apiVersion: request.desiredAPIVersion,
      metadata: { ...object.metadata, generation: 99, labels: { new: 'y' } },
    })),
  },
})

const conversion = suite('conversion by webhook')

conversion(
  'sends all objects in a review version that both support, and uses only labels of the converted metadata',
  async () => {
    const { convert, reviews } = converter()
    const [first, second] = await convert([widget('a'), widget('b')], 'v1', 'v2')
    assert.is(reviews.length, 1)
    assert.is(reviews[0]!.apiVersion, 'apiextensions.test/v1beta1')
    assert.equal(
      reviews[0]!.request.objects.map(({ apiVersion, kind }) => [apiVersion, kind]),
      [
        ['example.com/v1', 'Widget'],
        ['example.com/v1', 'Widget'],
      ],
    )
    assert.equal(first, { metadata: { name: 'a', uid: 'a', generation: 3, labels: { new: 'y' } }, spec: { size: 'a' } })
    assert.is(second?.metadata.name, 'b')
  },
)

conversion('splits a large conversion into several reviews, and sends none for the same version', async () => {
  const { convert, reviews } = converter()
  const large = Array.from({ length: 3 }, (_, i) => ({ ...widget(`w${i}`), spec: { text: 'x'.repeat(600_000) } }))
  assert.is((await convert(large, 'v1', 'v2')).length, 3)
  assert.is(reviews.length, 3)
  assert.equal(await convert(large, 'v1', 'v1'), large)
  assert.is(reviews.length, 3)
})

conversion('by the first version of reviews is not told which review is answered', async () => {
  const unidentified = ({ response }: ReturnType<typeof answerOf>) => ({ response: { ...response, uid: undefined } })
  assert.is((await converter(unidentified).convert([widget('a')], 'v1', 'v2')).length, 1)
})

conversion('keeps invalid labels that a webhook does not change', async () => {
  const labels = { '-': '-' }
  const keep = (answer: ReturnType<typeof answerOf>) => withMetadata(answer, { labels })
  const [converted] = await converter(keep).convert([{ metadata: { name: 'a', labels } }], 'v1', 'v2')
  assert.equal(converted?.metadata.labels, labels)
})

const withMetadata = (answer: ReturnType<typeof answerOf>, fields: object) => {
  const [first] = answer.response.convertedObjects
  const metadata = { ...first?.metadata, ...fields }
  return { ...answer, response: { ...answer.response, convertedObjects: [{ ...first, metadata }] } }
}

const wrong: Readonly<Record<string, Parameters<typeof converter>[0]>> = {
  'a list of labels': answer => withMetadata(answer, { labels: ['a'] }),
  'a label that is a number': answer => withMetadata(answer, { labels: { a: 1 } }),
  'an invalid label': answer => withMetadata(answer, { labels: { a: '-' } }),
  'an invalid annotation': answer => withMetadata(answer, { annotations: { '/': 'a' } }),
  'another uid': answer => ({ ...answer, response: { ...answer.response, uid: 'other' } }),
  'another kind of review': answer => ({ ...answer, kind: 'AdmissionReview' }),
  'too few objects': answer => ({ ...answer, response: { ...answer.response, convertedObjects: [] } }),
  'a failure': answer => ({ ...answer, response: { ...answer.response, result: { status: 'Failed', message: 'no' } } }),
  'objects of another version': (answer, { request }) => ({
    ...answer,
    response: { ...answer.response, convertedObjects: request.objects },
  }),
  'an object of another name': answer => {
    answer.response.convertedObjects[0]!.metadata.name = 'other'
    return answer
  },
  'no response': ({ kind, apiVersion }) => ({ kind, apiVersion }),
}
for (const [what, spoil] of Object.entries(wrong))
  conversion(`${what} is a 500 that says why`, async () => {
    const failure = await converter(spoil, ['v1'])
      .convert([widget('a')], 'v1', 'v2')
      .catch(error => error as ApiError)
    assert.is((failure as ApiError).code, 500)
    assert.match((failure as ApiError).message, /conversion webhook for example.com, Kind=Widget failed: ./)
  })

conversion.run()
