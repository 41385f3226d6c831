import { definePlugin, defineService, defineStartTask, requestTracer, services, serviceToken, Type } from 'orch/sdk'
import { LateTracer } from './late-tracer.js'
import { tracingSettings } from './settings.js'

const TracingOptions = Type.Object({
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
      'How many of a million requests are traced. Those of a client that traces itself are traced as it says.',
  }),
  tracingConfigFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'A TracingConfiguration: endpoint and samplingRatePerMillion in a file.',
    }),
  ),
})
export type TracingOptions = {
  tracingEndpoint?: string
  tracingSamplingRatePerMillion: number
  tracingConfigFile?: string
}

const lateTracer = serviceToken<LateTracer>('lateTracer')

/** Traces of requests for OpenTelemetry. Nothing of it is loaded without an endpoint. */
export const tracing = definePlugin({
  name: 'tracing',
  options: TracingOptions,
  register(to, { vendor, options }) {
    if (options.tracingEndpoint === undefined && options.tracingConfigFile === undefined) return
    to.service(
      defineService({ token: lateTracer, create: () => new LateTracer() }),
      defineService({ token: requestTracer, needs: { tracer: lateTracer }, create: ({ tracer }) => tracer }),
    )
    to.onStart(
      defineStartTask({
        name: 'trace',
        needs: { tracer: lateTracer, logger: services.logger, metrics: services.metrics },
        async run({ tracer, logger, metrics }) {
          const settings = await tracingSettings(options, vendor)
          const { OpenTelemetryTracer } = await import('./open-telemetry-tracer.js')
          const actual = new OpenTelemetryTracer({ ...settings, vendor, logger, metrics })
          tracer.use(actual)
          return () => actual.close()
        },
      }),
    )
  },
})
