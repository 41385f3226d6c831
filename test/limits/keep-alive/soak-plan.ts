/** One request of a soak, and the status that answers it. */
export interface Step {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Undefined sends no body. */
  readonly body: Body | undefined
  readonly status: number
}

/** A letter repeated between two texts. Made when it is sent: all bodies together would be a hundred megabytes. */
interface Body {
  readonly before: string
  readonly letter: string
  readonly bytes: number
  readonly after: string
}
export const textOf = ({ body }: Step): string | undefined =>
  body && `${body.before}${body.letter.repeat(body.bytes)}${body.after}`

/** The results of a client, which sends its steps sequentially over one connection. */
export interface SoakReport {
  answered: number
  /** Connections that it opened: one, unless the server ended it. */
  connections: number
  /** What went wrong, and at which step. */
  failures: string[]
}

export interface SoakTarget {
  readonly port: number
  readonly token: string
}

const kilobyte = 1000
/**
 * How many objects of each size a client goes through. Small ones dominate, and those between 33 and 200 kB: there an answer does
 * not fit into the buffers of a socket, and is still read before the server knows that it was sent.
 */
const rounds: readonly (readonly [bytes: number, count: number])[] = [
  [1 * kilobyte, 117],
  [4 * kilobyte, 90],
  [16 * kilobyte, 90],
  [33 * kilobyte, 100],
  [64 * kilobyte, 60],
  [100 * kilobyte, 50],
  [200 * kilobyte, 40],
  [1000 * kilobyte, 7],
  [4000 * kilobyte, 2],
]

/** All steps of a client that has a namespace to itself, or a share of them; the sizes mixed, always in the same order. */
export function soakSteps(namespace: string, share = 1): Step[] {
  const turns = Math.max(...rounds.map(([, count]) => count))
  const steps: Step[] = []
  for (let turn = 0; turn < turns * share; turn++)
    // Spread evenly over all turns.
    for (const [bytes, count] of rounds)
      if (Math.floor(((turn + 1) * count) / turns) > Math.floor((turn * count) / turns))
        steps.push(...roundOf(namespace, `object-${steps.length}`, bytes))
  return steps
}

/** Every verb, on an object of this size. */
function roundOf(namespace: string, name: string, bytes: number): Step[] {
  // A type whose objects may be of any size: what is in a ConfigMap or a Secret is limited.
  const all = `/api/v1/namespaces/${namespace}/podtemplates`
  const one = `${all}/${name}`
  const template = { spec: { containers: [{ name: 'main', image: 'main', args: ['HERE'] }] } }
  const around = (content: object, letter: string): Body => {
    const [before = '', after = ''] = JSON.stringify(content).split('HERE')
    return { before, letter, bytes, after }
  }
  const object = (letter: string) => around({ metadata: { name, namespace }, template }, letter)
  return [
    { method: 'POST', path: all, body: object('a'), status: 201 },
    { method: 'GET', path: one, body: undefined, status: 200 },
    { method: 'PUT', path: one, body: object('b'), status: 200 },
    { method: 'PATCH', path: one, body: around({ template }, 'c'), status: 200 },
    { method: 'GET', path: all, body: undefined, status: 200 },
    { method: 'DELETE', path: one, body: undefined, status: 200 },
  ]
}

export const typeOf = ({ method }: Step): string =>
  method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'

export const headersOf = (step: Step, text: string | undefined, { token }: SoakTarget): Record<string, string> => ({
  Host: 'localhost',
  Authorization: `Bearer ${token}`,
  ...(text === undefined ? {} : { 'Content-Type': typeOf(step), 'Content-Length': String(text.length) }),
})

export const describe = ({ method, path, body }: Step): string => `${method} ${path} (${body?.bytes ?? 0} bytes)`
