import { stringify } from 'yaml'
import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { Target } from '../fuzz/served-api.js'
import type { Step } from '../golden/scenario.js'
import { brokenText } from './broken-text.js'
import { protobufMediaType, protobufOf } from './protobuf-bodies.js'

/** Invalid or truncated Protobuf. */
const brokenProtobuf = ['', 'k8s', 'k8s\0', '{}', 'k8s\0\n\x10\n\x02v1', 'k8s\0\x12\x05\n\x20a']

/** The step with its body in one of the formats that clients send, now and then broken. */
export function inSomeFormat(random: SeededRandom, step: Step, body: unknown, target: Target): Step {
  const dice = random.fraction()
  const sentAs = (type: string) => ({ headers: { ...step.headers, 'Content-Type': type } })
  if (dice < 0.7) return { ...step, body }
  if (dice < 0.9) return protobufOf(body) ? { ...step, ...sentAs(protobufMediaType), body } : { ...step, body }
  if (dice < 0.95) return { ...step, ...sentAs('application/yaml'), bodyText: stringify(body) }
  if (dice < 0.955) return { ...step, ...sentAs(protobufMediaType), bodyText: random.pick(brokenProtobuf) }
  return { ...step, bodyText: brokenText(random, JSON.stringify(body), target) }
}
