import { UsageError } from '../../usage-error.js'
import { createCommand, pairsOf, vendorVersion } from './create-objects.js'

interface Rule {
  readonly host: string
  readonly path: string
  readonly pathType: 'Exact' | 'Prefix'
  readonly backend: object
  /** The secret of `tls=SECRET`; empty for `tls` alone. */
  readonly tls: string | undefined
}

export const createIngress = createCommand({
  name: 'create ingress',
  aliases: ['create ing'],
  summary: 'Create an ingress: which requests from outside go to which service.',
  usage: 'NAME (--rule HOST/PATH=SERVICE:PORT[,tls[=SECRET]]... | --default-backend SERVICE:PORT) [flags]',
  examples: [
    ['All below a path; without the star exactly that path', 'create ingress site --rule="a.test/shop*=shop:80"'],
    ['With a certificate', 'create ingress site --class=nginx --rule="a.test/*=site:http,tls=site-cert"'],
  ],
  flags: [
    {
      name: 'rule',
      kind: 'list',
      value: 'RULE',
      description: 'HOST/PATH=SERVICE:PORT, optionally followed by ,tls or ,tls=SECRET',
    },
    { name: 'default-backend', kind: 'text', value: 'SERVICE:PORT', description: 'the service for all other requests' },
    { name: 'class', kind: 'text', value: 'NAME', description: 'the ingress class' },
    { name: 'annotation', kind: 'list', value: 'KEY=VALUE', description: 'an annotation' },
  ],
  async build(call) {
    const { flags } = call
    const rules = flags.list('rule').map(readRule)
    const rest = flags.text('default-backend')
    if (rules.length === 0 && rest === undefined) throw new UsageError('--rule or --default-backend is required')
    const annotations = pairsOf(flags.list('annotation'), 'annotation')
    const className = flags.text('class')
    const tls = certificatesOf(rules)
    return {
      apiVersion: await vendorVersion(call, 'networking'),
      kind: 'Ingress',
      ...(Object.keys(annotations).length > 0 ? { metadata: { annotations } } : {}),
      spec: {
        ...(className === undefined ? {} : { ingressClassName: className }),
        ...(rest === undefined ? {} : { defaultBackend: backendOf(rest) }),
        ...(rules.length > 0 ? { rules: byHost(rules) } : {}),
        ...(tls.length > 0 ? { tls } : {}),
      },
    }
  },
})

function readRule(text: string): Rule {
  const found = /^([\w*.-]*)(\/[^=]*)?=([^,]+)(?:,tls(?:=([\w.-]+))?)?$/.exec(text)
  if (!found) throw new UsageError(`--rule needs HOST/PATH=SERVICE:PORT[,tls[=SECRET]], not "${text}"`)
  const [, host = '', path = '', service = '', secret] = found
  const isPrefix = path === '' || path.endsWith('*')
  return {
    host,
    path: path === '' ? '/' : isPrefix ? path.slice(0, -1) : path,
    pathType: isPrefix ? 'Prefix' : 'Exact',
    backend: backendOf(service),
    tls: /,tls(=|$)/.test(text) ? (secret ?? '') : undefined,
  }
}

function backendOf(text: string): object {
  const [name = '', port = '', ...more] = text.split(':')
  if (name === '' || port === '' || more.length > 0) throw new UsageError(`"${text}" is not SERVICE:PORT`)
  return { service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } }
}

function byHost(rules: readonly Rule[]): object[] {
  const hosts = [...new Set(rules.map(({ host }) => host))]
  return hosts.map(host => ({
    ...(host === '' ? {} : { host }),
    http: {
      paths: rules
        .filter(rule => rule.host === host)
        .map(({ path, pathType, backend }) => ({ path, pathType, backend })),
    },
  }))
}

/** One entry for each secret, with the hosts that it is for. */
function certificatesOf(rules: readonly Rule[]): object[] {
  const secrets = new Map<string, Set<string>>()
  for (const { host, tls } of rules) if (tls !== undefined) secrets.set(tls, (secrets.get(tls) ?? new Set()).add(host))
  return [...secrets].map(([secretName, hosts]) => ({
    hosts: [...hosts].filter(host => host !== ''),
    ...(secretName === '' ? {} : { secretName }),
  }))
}
