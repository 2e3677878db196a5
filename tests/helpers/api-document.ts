/** The API document of a router, cut to a few addresses: OpenAPI 3 with references, as makers of devices publish it. */
export const API_DOCUMENT = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Router', version: '7.14' },
  paths: {
    '/modems/status': {
      get: {
        summary: 'Status of the modems',
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ModemAnswer' } } } } },
      },
    },
    '/modems/apn/{id}': { get: { responses: { 200: {} } } },
    '/system/actions/reboot': { post: { responses: { 200: {} } } },
    '/system/device/status': { get: { summary: 'The device', responses: { 200: { $ref: '#/components/responses/Device' } } } },
    '/no/words': { get: { responses: { 200: { description: 'Something' } } } },
  },
  components: {
    responses: {
      Device: {
        content: {
          'application/json': {
            schema: { type: 'object', properties: { data: { allOf: [{ $ref: '#/components/schemas/Board' }] } } },
          },
        },
      },
    },
    schemas: {
      ModemAnswer: {
        type: 'object',
        properties: { success: { type: 'boolean' }, data: { type: 'array', items: { $ref: '#/components/schemas/Modem' } } },
      },
      Modem: {
        type: 'object',
        properties: {
          rsrp: { type: 'number', description: 'Reference signal power, in dBm' },
          operator: { type: ['string', 'null'] },
          bands: { type: 'array', items: { type: 'string' } },
        },
      },
      Board: { type: 'object', properties: { model: { type: 'string' }, parent: { $ref: '#/components/schemas/Board' } } },
    },
  },
});
