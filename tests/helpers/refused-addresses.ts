/** What no place of the product may lead to, in every spelling that some resolver or library takes for an address. */
export const REFUSED_ADDRESSES: readonly string[] = [
  // Loopback, unspecified, link-local, metadata, protocol assignments, multicast and broadcast.
  ...[
    '127.0.0.2',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '169.254.0.1',
    '192.0.0.170',
    '224.0.0.1',
    '255.255.255.255',
  ],
  // The same in short, decimal, octal and hexadecimal forms.
  ...['127.1', '127.0.1', '2130706433', '017700000001', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '127.0.0.01', '0x7F.1', '00000127.0.0.1'],
  ...['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.16689662'],
  // IPv6: itself, link-local, and what holds an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP).
  ...['::', '::1', '0:0:0:0:0:0:0:1', '[::1]', 'fe80::1', 'fe80::1%eth0', 'ff02::1', 'fd00:ec2::254', '2606:4700::1%eth0'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001:0:7f00:1::',
    'fe80::5efe:7f00:1',
  ],
  // Names, and other texts around an address.
  ...[
    'localhost',
    'localhost.',
    'LOCALHOST',
    'metadata.google.internal',
    '127.0.0.1.nip.io',
    '169.254.169.254.',
    'a@127.0.0.1',
    '127.0.0.1:80',
  ],
  ...[
    '127.0.0.1 ',
    ' 127.0.0.1',
    '127.0.0.1\n',
    '127.0.0.1\u0000',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '１２７.0.0.1',
    '127.0.0.1/8',
    '127.0.0.1#',
    '-R',
  ],
];
