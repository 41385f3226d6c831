import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { Target } from '../fuzz/served-api.js'
import type { Step } from '../golden/scenario.js'
import { encodedQuery, type Parameters, randomAccept, randomSelectors } from './request-options.js'

type Request = Pick<Step, 'path' | 'headers' | 'save'>

/** Reads one object, now and then at a version. */
export function randomRead(random: SeededRandom, path: string): Request {
  const parameters: Parameters = []
  if (random.fraction() < 0.06)
    parameters.push(['resourceVersion', random.pick(['0', '{{rv}}', '{{rv}}', 'x', '-1', '9'.repeat(18)])])
  if (random.fraction() < 0.01) parameters.push(['resourceVersionMatch', 'Exact'])
  return { path: path + encodedQuery(parameters), headers: randomAccept(random, false) }
}

/** Reads a list, a part of it, or where the last one ended. Of types without namespaces only the objects of the conversation. */
export function randomList(
  random: SeededRandom,
  target: Target,
  collection: string,
  names: readonly string[],
): Request {
  const parameters = randomSelectors(random, target, names)
  // Of types without namespaces the objects of others would count, too.
  const isContinued = target.namespaced && random.fraction() < 0.15
  if (target.namespaced && random.fraction() < (isContinued ? 0.8 : 0.25))
    parameters.push(['limit', random.pick(['1', '1', '2', '500', '0', '-1', 'x'])])
  if (isContinued) parameters.push(['continue', random.fraction() < 0.9 ? '{{continue}}' : 'x'])
  if (random.fraction() < (isContinued ? 0.05 : 0.2))
    parameters.push(['resourceVersion', random.pick(['0', '{{rv}}', '{{rv}}', 'x', ''])])
  if (random.fraction() < 0.08) parameters.push(['resourceVersionMatch', random.pick(['Exact', 'NotOlderThan', 'Odd'])])
  if (random.fraction() < 0.01) parameters.push(['sendInitialEvents', 'true'])
  return {
    path: collection + encodedQuery(parameters),
    headers: randomAccept(random, true),
    save: { continue: 'metadata.continue' },
  }
}

const watchId = 'w'
/** A watch, and the step that ends it. */
export function randomWatch(random: SeededRandom, target: Target, collection: string, names: readonly string[]) {
  const parameters: Parameters = [['watch', random.fraction() < 0.95 ? 'true' : '1']]
  parameters.push(...randomSelectors(random, target, names))
  if (random.fraction() < 0.75)
    parameters.push(['resourceVersion', random.pick(['{{rv}}', '{{rv}}', '{{rv}}', '{{rv}}', '0', '', 'x'])])
  if (random.fraction() < 0.05) parameters.push(['resourceVersionMatch', random.pick(['NotOlderThan', 'Exact'])])
  if (random.fraction() < 0.15) parameters.push(['sendInitialEvents', random.fraction() < 0.8 ? 'true' : 'false'])
  if (random.fraction() < 0.3) parameters.push(['allowWatchBookmarks', 'true'])
  const meta = 'g=meta.k8s.io;v=v1'
  const accept = random.pick([
    'application/json',
    'application/json',
    `application/json;as=Table;${meta}`,
    `application/json;as=PartialObjectMetadata;${meta}`,
  ])
  const path = collection + encodedQuery(parameters)
  const start: Step = { op: 'watch', id: watchId, path, headers: { Accept: accept } }
  const end: Step = { op: 'watchEnd', id: watchId, path: collection }
  return { start, end }
}
