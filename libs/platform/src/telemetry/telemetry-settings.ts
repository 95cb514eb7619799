import { boolean, oneOf, secret, text, webAddress } from '../setting.js';

const EXPORTERS = 'a comma-separated list of otlp, console or none';
const matches = (value: string): boolean => /^[a-z,/ ]*$/.test(value);

/**
 * The settings of OpenTelemetry that turn it on and off, by their standard names. Its SDK reads these and all others
 * from the environment itself.
 */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress({
    about:
      'Address of an OpenTelemetry collector, such as http://localhost:4318. It turns on traces and metrics, if the ' +
      'package @opentelemetry/sdk-node is installed. Unset: off.',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf({
    words: ['http/protobuf', 'http/json', 'grpc'],
    default: 'http/protobuf',
    about: 'How traces and metrics are sent to the collector.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: secret({
    min: 1,
    about: 'Headers of requests to the collector, as in Authorization=Bearer%20…',
  }),
  OTEL_SERVICE_NAME: text({
    default: '',
    form: 'a name of at most 255 characters',
    about: 'Name of the service in traces and metrics. Unset: merlon-api and merlon-worker.',
    matches: (value) => value.length <= 255,
  }),
  OTEL_TRACES_EXPORTER: text({
    default: '',
    form: EXPORTERS,
    about: 'Where traces go. Unset: to the collector.',
    matches,
  }),
  OTEL_METRICS_EXPORTER: text({
    default: '',
    form: `${EXPORTERS}, or prometheus`,
    about: 'Where metrics go. Unset: to the collector. Independent of /metrics.',
    matches,
  }),
  OTEL_SDK_DISABLED: boolean({ default: false, about: 'Turns traces and metrics of OpenTelemetry off.' }),
};
