import { type Static, Type } from 'orch/sdk'

export const TracingOptions = Type.Object({
  tracingEndpoint: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Where traces of requests are sent, by OTLP over HTTP: host:port, or a whole address. None by default.',
    }),
  ),
  tracingSamplingRatePerMillion: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description:
      'How many of a million requests are traced; of those of clients that trace themselves, as many of the ones that ask for it.',
  }),
  tracingTrustClients: Type.Boolean({
    default: false,
    description: 'Trace every request whose client asks for it in its traceparent, whatever the rate.',
  }),
  tracingConfigFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'A TracingConfiguration: endpoint and samplingRatePerMillion in a file.',
    }),
  ),
})
export type TracingOptions = Static<typeof TracingOptions>
