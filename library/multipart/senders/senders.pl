# Sends the form by LWP; see record.
use strict;
use warnings;
use HTTP::Request::Common qw(POST);
use LWP::UserAgent;

my ($url, $file) = @ARGV;
my $request = POST $url,
  Content_Type => 'form-data',
  Content => [name => "M\xC3\xBCller", photo => [$file, undef, Content_Type => 'application/octet-stream']];
my $response = LWP::UserAgent->new->request($request);
die $response->status_line unless $response->is_success;
