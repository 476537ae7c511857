alter table item add version bigint default 1 not null;
